// The adapter: one JSON object a line, as docs/protocol.md says. This file knows the envelope and nothing of the package.

import { Skip } from "./lib/skip.js";

// Whatever the package or its peer prints must not end up among the answers.
const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// Nothing of the shell that started this may be taken for a host's hint.
for (const name of Object.keys(process.env)) {
  if (/^PI_/.test(name)) delete process.env[name];
}

const { Implementation } = await import("./lib/implementation.js");
const implementation = new Implementation();

const methods = {
  hello: () => implementation.hello(),
  begin: ({ world }) => implementation.begin(world),
  step: ({ step }) => implementation.step(step),
  end: () => implementation.end(),
  bye: () => implementation.end(),
};

async function reply({ id, method, ...parameters }) {
  try {
    if (!Object.hasOwn(methods, method)) return { id, error: `there is no method ${method}` };
    return { id, result: (await methods[method](parameters)) ?? {} };
  } catch (error) {
    if (error instanceof Skip) return { id, skip: error.message };
    return { id, error: String(error?.stack ?? error) };
  }
}

/** Lines end at LF alone: `readline` would also split at U+2028, which JSON texts may hold. */
async function* lines(input) {
  let rest = "";
  input.setEncoding("utf8");
  for await (const chunk of input) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    yield* parts;
  }
  if (rest !== "") yield rest;
}

for await (const line of lines(process.stdin)) {
  if (line.trim() === "") continue;
  const request = JSON.parse(line);
  const text = `${JSON.stringify(await reply(request))}\n`;
  await new Promise((done) => answer(text, done));
  if (request.method === "bye") break;
}
// The package may keep timers; nobody waits for them.
process.exit(0);
