// From what happened to the observation of the protocol.

/** A question belongs to the prompt event before it and to the decision after it. */
export function observe(happenings) {
  const seen = { prompts: [], notifications: [], decisions: [], uiPrompts: [], status: {} };
  let announced = {};
  for (const happening of happenings) {
    switch (happening.kind) {
      case "dialog":
        seen.prompts.push({
          surface: announced.surface ?? null,
          value: announced.value ?? null,
          asksOn: null,
          message: happening.title,
          fullMessage: "",
          options: happening.options,
          sessionLabel: happening.options[1] ?? null,
        });
        announced = {};
        break;
      case "notice":
        seen.notifications.push(happening.text);
        break;
      case "status":
        seen.status[happening.key] = happening.text;
        break;
      default:
        event(happening, seen);
        if (happening.channel === "permissions:ui_prompt") announced = happening.payload;
    }
  }
  return seen;
}

function event({ channel, payload }, seen) {
  if (channel === "permissions:ui_prompt") seen.uiPrompts.push(payload);
  if (channel !== "permissions:decision") return;
  seen.decisions.push(payload);
  for (const prompt of seen.prompts) prompt.asksOn ??= payload.surface;
}

/**
 * What decided. The package names no gate: it follows from the surface of the last decision and from the tool
 * (docs/spec/README.md, section 6). `call` is `{ tool, isShell, isRegistered }`; without one it was a typed text.
 */
export function decidedBy(seen, call) {
  const last = seen.decisions.at(-1);
  // A block after an allow, or after nothing, is no gate's: the tool is unknown, or something failed.
  const unexplained = seen.outcome === "block" && last?.result !== "deny";
  if (unexplained) return { gate: call.isRegistered ? "boundary" : "registration" };
  if (last === undefined) return { gate: seen.outcome === "continue" ? "none" : "boundary" };
  return {
    gate: call === undefined ? "skill-input" : gateOf(last.surface, call, seen.reviewLog),
    surface: last.surface,
    rule: last.matchedPattern ?? null,
    origin: last.origin ?? null,
    resolution: last.resolution,
    value: last.value,
  };
}

function gateOf(surface, { tool, isShell }, reviewLog) {
  if (surface === tool) return "tool";
  // A shell under another name may have a path field too; the gates of commands then log the command.
  const ofCommand = tool === "bash" || (isShell && reviewLog.at(-1)?.command != null);
  switch (surface) {
    case "path":
      return ofCommand ? "bash-path" : "path";
    case "external_directory":
      return ofCommand ? "bash-external-directory" : "external-directory";
    case "skill":
      return "skill-read";
    default:
      return "tool";
  }
}
