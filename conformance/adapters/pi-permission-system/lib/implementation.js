// The implementation under test: the package in a fresh host for each scenario, one event a step.

import { Host } from "./host.js";
import { Logs } from "./logs.js";
import { decidedBy, observe } from "./observe.js";
import { extension, getPermissionsService, manifest } from "./package.js";
import { Sessions, emptied, inboxOf } from "./sessions.js";
import { isShell } from "./shells.js";
import { Skip } from "./skip.js";

// Left out: trust (it asks no host for it), session-rules (it shows them to nobody), windows (it takes the flavour of
// the machine), multi-session and clock (it lives in one process and in real time), mock-checks (its resolver cannot be
// replaced), authorizer-chain (its service takes no automatic answerers).
const CAPABILITIES = [
  "bash", "shell-alias", "mcp", "skills", "skill-input", "agents", "project", "grants", "prompts", "events", "review-log",
  "debug-log", "permissive-mode", "exposure", "prompt-narrowing", "config-issues", "service", "links", "raw-event", "forwarding",
];

const START_DIRECTORY = process.cwd();

export class Implementation {
  hello() {
    return {
      protocol: 1,
      name: manifest.name,
      version: manifest.version,
      language: "TypeScript",
      homepage: manifest.homepage,
      issues: manifest.bugs?.url,
      capabilities: CAPABILITIES,
      levels: ["baseline", "hardened"],
    };
  }

  async begin(world) {
    await this.end();
    if (world.platform !== "posix") throw new Skip("it takes the path flavour of the machine it runs on");
    if (world.checks?.length) throw new Skip("its resolver cannot be replaced");
    if (world.sessionRules?.length) throw new Skip("grants can only be given in answer to a question");
    this.world = world;
    this.environment = new Map();
    for (const [name, value] of world.env) this.setVariable(name, value);
    // The host runs in the session's directory, and the package looks at that directory when it is loaded.
    process.chdir(world.cwd);
    this.logs = new Logs(world.agentDir);
    this.sessions = world.sessions?.length ? new Sessions(world) : undefined;
    this.host = this.sessions?.first ?? new Host(world);
    for (const host of this.sessions?.all ?? [this.host]) await extension(host.api());
  }

  async end() {
    if (this.host === undefined) return;
    for (const host of this.sessions?.all ?? [this.host]) {
      try {
        await host.send("session_shutdown", { type: "session_shutdown", reason: "quit" });
      } catch {
        // A scenario may have broken the gate on purpose; the next one gets another.
      }
    }
    for (const [name, value] of this.environment) restore(name, value);
    process.chdir(START_DIRECTORY);
    this.host = undefined;
    this.sessions = undefined;
  }

  setVariable(name, value) {
    this.environment.set(name, process.env[name]);
    process.env[name] = value;
  }

  async step(step) {
    if (this.host === undefined) throw new Error("a step before the world");
    if (step.kind !== "in") return this.single(step);
    if (this.sessions === undefined) throw new Error("a step in a session of a world that names none");
    if (step.meanwhile?.length) throw new Skip("nothing can happen here while a step is under way");
    this.host = this.sessions.enter(step.session, step.step);
    const person = step.answers == null ? undefined : this.sessions.get(step.answers.session);
    const act = () => this.single(step.step);
    const observation = person === undefined ? await act() : await person.withAnswers(step.answers.answers, act);
    observation.sessions = this.sessions.others(this.host);
    return observation;
  }

  async single(step) {
    if (!Object.hasOwn(STEPS, step.kind)) throw new Skip(`there is no step ${step.kind} here`);
    const hosts = this.sessions?.all ?? [this.host];
    for (const host of hosts) host.skipped = undefined;
    const seen = await STEPS[step.kind](this, step);
    const skipped = hosts.find((host) => host.skipped !== undefined);
    if (skipped !== undefined) throw new Skip(skipped.skipped);
    const { call, ...result } = seen ?? {};
    const observation = { ...observe(this.host.takeHappenings()), ...this.logs.take(), ...result };
    observation.activeTools = [...this.host.active];
    if (step.kind === "toolCall" || step.kind === "input") observation.by = decidedBy(observation, call);
    return observation;
  }
}

function restore(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

const text = (error) => String(error?.message ?? error);

/** Asks the service that the package publishes; a failure is an observation. */
function ask(question) {
  const service = getPermissionsService();
  if (service === undefined) return { reason: "there is no service" };
  try {
    return question(service);
  } catch (error) {
    return { outcome: "error", reason: text(error) };
  }
}

async function toolCall({ host, world }, { event, answers }) {
  const tool = toolName(event);
  const isRegistered = host.tools.map(toolName).includes(tool);
  const call = { tool, isRegistered, isShell: isShell(tool, world) };
  try {
    const result = await host.withAnswers(answers, () => host.send("tool_call", event));
    return result?.block ? { outcome: "block", reason: result.reason, call } : { outcome: "allow", call };
  } catch (error) {
    return { outcome: "error", reason: text(error), call };
  }
}

/** The name of a call or of a registered tool (HAND-001). */
function toolName(entry) {
  const candidates = typeof entry === "string" ? [entry] : [entry?.toolName, entry?.name, entry?.tool];
  return candidates.find((name) => typeof name === "string" && name.trim() !== "")?.trim();
}

const STEPS = {
  toolCall,
  async input({ host }, step) {
    try {
      const event = { type: "input", text: step.text, source: "interactive" };
      const result = await host.withAnswers(step.answers, () => host.send("input", event));
      return { outcome: result?.action ?? "continue" };
    } catch (error) {
      return { outcome: "error", reason: text(error) };
    }
  },
  async agentStart({ host }, { systemPrompt, activeTools }) {
    if (activeTools != null) host.active = [...activeTools];
    const result = await host.send("before_agent_start", { type: "before_agent_start", prompt: "", systemPrompt });
    return result?.systemPrompt === undefined ? {} : { systemPrompt: result.systemPrompt };
  },
  async sessionStart({ host }, { reason }) {
    await host.send("session_start", { type: "session_start", reason });
  },
  async sessionShutdown({ host }) {
    await host.send("session_shutdown", { type: "session_shutdown", reason: "quit" });
  },
  async resourcesDiscover({ host, world }, { reason }) {
    await host.send("resources_discover", { type: "resources_discover", cwd: world.cwd, reason });
  },
  async restart({ host }) {
    host.forgetInstance();
    await extension(host.api());
  },
  filesChanged() {},
  hostChange({ host }, { ui, agent, tools, activeTools }) {
    if (ui != null) {
      host.hasUI = ui.answers != null;
      host.answers = [...(ui.answers ?? [])];
    }
    if (agent != null) host.appendAgent(agent.name ?? null);
    if (tools != null) host.register(tools);
    if (activeTools != null) host.active = [...activeTools];
  },
  registerExtractor(_, { tool, field, fails }) {
    const service = getPermissionsService();
    if (service === undefined) throw new Error("there is no service to register with");
    service.registerToolAccessExtractor(tool, (input) => {
      if (fails != null) throw new Error(fails);
      return input?.[field];
    });
  },
  /** The package looks into its inbox by itself, every 250 ms; this waits until nothing is left there. */
  async serve({ host, world }) {
    await emptied(inboxOf(world.agentDir, host.sessionId));
  },
  query(_, { surface, value, agent }) {
    return ask((service) => {
      const check = service.checkPermission(surface, value ?? undefined, agent ?? undefined);
      return { outcome: check.state, reason: check.reason, source: check.source, pattern: check.matchedPattern, origin: check.origin };
    });
  },
  toolPermission(_, { tool, agent }) {
    return ask((service) => ({ outcome: service.getToolPermission(tool, agent ?? undefined) }));
  },
};
