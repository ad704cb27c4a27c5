"""A small permission gate: one policy file, flat rules, the last rule that matches wins.

It knows nothing of adapters. A surface is a tool's name; its rules are a plain state, or a map from patterns to states.
Commands are not taken apart, and paths are compared as they were written.
"""

import json
import os
import re

FILE_TOOLS = ("read", "write", "edit", "grep", "find", "ls")
STATES = ("allow", "ask", "deny")
# What a policy may speak about here: each tool by its name, and nothing that several tools share.
SHARED = ("path", "external_directory", "skill")


class NotUnderstood(Exception):
    """The policy or the call needs a better gate than this one."""


class Policy:
    """Rules in file order: (surface, pattern, state)."""

    def __init__(self, agent_dir):
        self.rules = []
        path = os.path.join(agent_dir, "extensions", "pi-permission-system", "config.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                config = json.load(file)
            if not isinstance(config, dict) or set(config) - {"permission"}:
                raise NotUnderstood("more than rules")
            self.read(config.get("permission", {}))

    def read(self, permission):
        if not isinstance(permission, dict) or "" in permission:
            raise NotUnderstood("rules that are no map")
        for surface, entry in permission.items():
            if any(matches(surface, shared) for shared in SHARED if surface != "*"):
                raise NotUnderstood(f"rules on {surface}")
            patterns = entry if isinstance(entry, dict) else {"*": entry}
            for pattern, state in patterns.items():
                if state not in STATES or not pattern or not plain(pattern):
                    raise NotUnderstood(f"the rule for {pattern}")
                self.rules.append((surface, pattern, state))

    def check(self, tool, value):
        """The state, the pattern of the rule that gave it (none: the default's), and who wrote it."""
        answer = ("ask", None, "builtin")
        for surface, pattern, state in self.rules:
            if surface == "*":
                answer = (state, None, "global") if answer[1] is None else answer
            elif matches(surface, tool) and matches(pattern, value):
                answer = (state, pattern, "global")
        return answer


def matches(pattern, text):
    """`*` stands for any text, `?` for one character."""
    words = (".*" if part == "*" else "." if part == "?" else re.escape(part) for part in re.split(r"([*?])", pattern))
    return re.fullmatch("".join(words), text, re.DOTALL) is not None


def plain(path):
    """A path, or a pattern, that means the same whatever directory, home or shell reads it."""
    return path == path.strip() and not re.search(r"""^[/~@"'$\\]|(^|/)\.{1,2}(/|$)|//|/$|["'\\]|^[A-Za-z]:|^file:""", path)


class Decision:
    """What came out, and why."""

    def __init__(self, allowed, resolution, value, rule, origin):
        self.allowed, self.resolution, self.value, self.rule, self.origin = allowed, resolution, value, rule, origin


class Gate:
    """Decides calls; `ask_person` is told a message and says whether the call may go ahead (None: there is nobody)."""

    def __init__(self, agent_dir, tools, ask_person):
        self.agent_dir, self.tools, self.ask_person = agent_dir, tools, ask_person

    def tool_call(self, tool, path):
        """The decision and, for a block, what the agent is told."""
        if tool not in self.tools:
            known = ", ".join(sorted(self.tools)[:10]) or "none"
            return None, f"{tool} is not registered (for MCP: server:tool); there are {known}"
        value = path or "*"
        if not plain(value):
            raise NotUnderstood(f"the path {value}")
        # Read anew for each call: a rule that was just written holds.
        state, pattern, origin = Policy(self.agent_dir).check(tool, value)

        def decision(allowed, resolution):
            return Decision(allowed, resolution, path or tool, pattern, origin)

        what = f"{tool} {path or ''}" + (f" (rule '{pattern}')" if pattern else "")
        if state == "allow":
            return decision(True, "policy_allow"), None
        if state == "deny":
            return decision(False, "policy_deny"), f"[pi-permission-system] the policy denies {what}"
        answer = self.ask_person(f"May the agent use {what}?")
        if answer is None:
            return decision(False, "confirmation_unavailable"), f"[pi-permission-system] nobody could be asked about {what}"
        if answer:
            return decision(True, "user_approved"), None
        return decision(False, "user_denied"), f"[pi-permission-system] the person denied {what}"
