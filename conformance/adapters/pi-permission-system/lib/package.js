// Loads the published package the way its host does: the entries that its package.json names, through jiti.
//
// The module is loaded once; every scenario gets a fresh instance of the extension from it.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { createJiti } from "jiti";

const NAME = "@gotgenes/pi-permission-system";
const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules");
const root = join(modules, NAME);

export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// What jiti compiles is kept beside the package, never in a folder that nobody removes.
const jiti = createJiti(import.meta.url, { fsCache: join(modules, ".cache", "jiti") });

const [entry] = manifest.pi.extensions;
const { default: extension } = await jiti.import(join(root, entry));
const { getPermissionsService } = await jiti.import(join(root, manifest.exports["."].default));

export { extension, getPermissionsService };
