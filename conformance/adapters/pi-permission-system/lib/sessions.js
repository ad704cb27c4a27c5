// Several sessions in this process: a host each, with a bus and an instance of the extension of its own.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { Host } from "./host.js";
import { observe } from "./observe.js";
import { Skip } from "./skip.js";

/** Longer than several looks of the package into its inbox. */
const PATIENCE_MS = 2500;

export class Sessions {
  constructor(world) {
    this.specs = new Map(world.sessions.map((session) => [session.name, session]));
    this.hosts = new Map();
    for (const [name, session] of this.specs) {
      if (session.process !== "main") throw new Skip("its sessions live in one process here");
      if (session.sessionRules.length) throw new Skip("grants can only be given in answer to a question");
      this.hosts.set(name, new Host({ ...world, ...session, activeTools: null }));
    }
  }

  get all() {
    return [...this.hosts.values()];
  }

  get first() {
    return this.all[0];
  }

  get(name) {
    const host = this.hosts.get(name);
    if (host === undefined) throw new Error(`there is no session ${name}`);
    return host;
  }

  /** The host of a step. A child that starts was announced by its parent. */
  enter(name, step) {
    if (name == null) return this.first;
    const { childOf, id } = this.specs.get(name) ?? {};
    if (step.kind === "sessionStart" && childOf != null) {
      const parent = this.get(childOf);
      parent.emit("subagents:child:session-created", { sessionId: id, parentSessionId: parent.sessionId });
    }
    return this.get(name);
  }

  /** What could be seen in the sessions that a step did not happen in. */
  others(host) {
    const seen = [...this.hosts].filter(([, other]) => other !== host);
    return Object.fromEntries(seen.map(([name, other]) => [name, observe(other.takeHappenings())]));
  }
}

/** The folder of the questions to a session (FWD-001); plain ids only. */
export function inboxOf(agentDir, sessionId) {
  return join(agentDir, "sessions", "permission-forwarding", "sessions", encodeURIComponent(sessionId), "requests");
}

/** Waits until no question is left in the folder, or patience ends. */
export async function emptied(folder) {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until && questions(folder) > 0) await sleep(20);
}

function questions(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json")).length;
  } catch {
    return 0;
  }
}
