// Which tools are shells: `bash`, and those that the configuration files name in `shellTools`. Read only to name the gate.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const EXTENSION = ["extensions", "pi-permission-system", "config.json"];

export function isShell(tool, { agentDir, cwd }) {
  if (tool === "bash") return true;
  const files = [join(agentDir, ...EXTENSION), join(cwd, ".pi", ...EXTENSION)];
  return files.some((file) => Object.hasOwn(shellTools(file), tool));
}

function shellTools(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).shellTools ?? {};
  } catch {
    return {};
  }
}
