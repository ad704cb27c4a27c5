// A host for the extension: what a coding agent offers to extensions, as far as a permission gate asks for it.
//
// It decides nothing. It keeps the state that a scenario arranges, gives the person's answers, and records what happens in order.

const nameOf = (tool) => (typeof tool === "string" ? tool : tool?.name);
const namesOf = (tools) => tools.map(nameOf).filter((name) => typeof name === "string");
const entryOf = (tool) => (typeof tool === "string" ? { name: tool } : tool);

export class Host {
  constructor(world) {
    this.sessionId = world.id ?? "portcullis-session";
    this.cwd = world.cwd;
    this.agentDir = world.agentDir;
    this.tools = world.tools;
    this.active = world.activeTools ?? namesOf(world.tools);
    this.hasUI = world.ui != null;
    this.answers = [...(world.ui ?? [])];
    this.entries = [];
    this.trust = world.trust;
    this.happenings = [];
    this.forgetInstance();
    if (world.agent != null) this.appendAgent(world.agent);
  }

  /** An extension that is loaded anew brings its own handlers and listeners. */
  forgetInstance() {
    this.handlers = new Map();
    this.listeners = new Map();
  }

  appendAgent(name) {
    this.entries.push({ type: "custom", customType: "active_agent", data: { name } });
  }

  /** Exactly these are registered; what is gone is no longer active, what is new is. */
  register(tools) {
    const known = new Set(namesOf(this.tools));
    const names = namesOf(tools);
    const fresh = names.filter((name) => !known.has(name));
    this.active = [...this.active.filter((name) => names.includes(name)), ...fresh];
    this.tools = tools;
  }

  /** Answers of one call stand before those of the scenario; what is left of them goes with the call. */
  async withAnswers(answers, act) {
    if (answers == null) return act();
    const kept = this.answers;
    this.answers = [...answers];
    try {
      return await act();
    } finally {
      this.answers = kept;
    }
  }

  takeHappenings() {
    const taken = this.happenings;
    this.happenings = [];
    return taken;
  }

  /** One event to the extension; the last answer counts. */
  async send(name, event) {
    let result;
    for (const handler of this.handlers.get(name) ?? []) {
      result = (await handler(event, this.context())) ?? result;
    }
    return result;
  }

  /** A broadcast on this session's bus. */
  emit(channel, payload) {
    this.happenings.push({ kind: "event", channel, payload: structuredClone(payload) });
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }

  /** What an extension is given when it is loaded. */
  api() {
    const nothing = () => {};
    const known = {
      on: (event, handler) => this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler]),
      events: {
        on: (channel, listener) => {
          const all = this.listeners.get(channel) ?? new Set();
          this.listeners.set(channel, all.add(listener));
          return () => all.delete(listener);
        },
        emit: (channel, payload) => this.emit(channel, payload),
      },
      getAllTools: () => this.tools.map(entryOf),
      getActiveTools: () => [...this.active],
      setActiveTools: (names) => {
        this.active = [...names];
      },
      registerCommand: nothing,
      registerShortcut: nothing,
      registerFlag: nothing,
      registerTool: nothing,
      getFlag: nothing,
      getCommands: () => [],
    };
    return known;
  }

  /** What a handler is given beside its event. */
  context() {
    return {
      cwd: this.cwd,
      hasUI: this.hasUI,
      mode: this.hasUI ? "rpc" : "print",
      ui: this.ui(),
      sessionManager: this.sessionManager(),
      isProjectTrusted: () => this.trust === "trusted",
      isIdle: () => true,
      hasPendingMessages: () => false,
      abort() {},
    };
  }

  sessionManager() {
    const entries = () => [...this.entries];
    return {
      getCwd: () => this.cwd,
      getSessionDir: () => `${this.agentDir}/sessions/portcullis`,
      getSessionId: () => this.sessionId,
      getSessionFile: () => undefined,
      getSessionName: () => undefined,
      getHeader: () => null,
      getEntries: entries,
      getBranch: entries,
      getLeafId: () => null,
      getLeafEntry: () => undefined,
    };
  }

  ui() {
    return {
      select: async (title, options) => this.choose(title, options),
      input: async () => this.reason,
      confirm: async () => false,
      notify: (text) => this.happenings.push({ kind: "notice", text: String(text) }),
      setStatus: (key, text) => this.happenings.push({ kind: "status", key, text: text ?? null }),
      setWidget() {},
      setTitle() {},
      onTerminalInput: () => () => {},
    };
  }

  /** The plain list of four: approve, approve for session, deny, deny with a reason. */
  choose(title, options) {
    this.happenings.push({ kind: "dialog", title, options: [...options] });
    // The only question with two options is for which session a yes counts.
    if (options.length === 2) return options[this.scope ?? 0];
    this.scope = 0;
    const given = this.answers.shift() ?? { answer: "dismiss" };
    switch (given.answer) {
      case "approve":
        return options[0];
      case "approveForSession":
        return options[1];
      case "approveBothDirections":
        this.skipped = "its dialog offers no grant for both directions";
        return undefined;
      case "approveForWholeSession":
        this.scope = 1;
        return options[1];
      case "approveForSessionThenDismiss":
        this.scope = options.length;
        return options[1];
      case "later":
        this.skipped = "its person answers at once";
        return undefined;
      case "deny":
        return options[2];
      case "denyWithReason":
        this.reason = given.reason;
        return options[3];
      case "fail":
        throw new Error(given.text);
      default:
        return undefined;
    }
  }
}
