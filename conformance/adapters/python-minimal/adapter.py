"""The adapter: docs/protocol.md on one side, gate.py on the other."""

import json
import sys

from gate import FILE_TOOLS, Gate, NotUnderstood, Policy


class Skip(Exception):
    """This scenario needs something that the gate does not do."""


class Adapter:
    gate = None

    def hello(self, _):
        name = {"protocol": 1, "name": "python-minimal", "version": "1", "language": "Python"}
        return name | {"capabilities": [], "levels": ["baseline"]}

    def begin(self, request):
        world = request["world"]
        if any(not isinstance(tool, str) for tool in world["tools"]):
            raise Skip("tools are plain names here")
        if dict(world["env"]).get("PI_CODING_AGENT_DIR") != world["agentDir"]:
            raise Skip("the agent directory stands where it always stands")
        Policy(world["agentDir"])
        self.answers = list(world["ui"]) if world["ui"] is not None else None
        self.gate = Gate(world["agentDir"], world["tools"], self.ask_person)
        return {}

    def step(self, request):
        step = request["step"]
        if self.gate is None:
            raise ValueError("a step outside a world")
        if step["kind"] in ("sessionStart", "sessionShutdown", "filesChanged"):
            return {}
        if step["kind"] != "toolCall":
            raise Skip(f"no step {step['kind']} here")
        if step.get("answers") is not None:
            raise Skip("answers belong to the scenario here, not to a step")
        return self.tool_call(step["event"])

    def tool_call(self, event):
        self.prompts = []
        tool, given = event["toolName"], event["input"]
        if tool in ("bash", "mcp", "skill") or tool != tool.strip() or not isinstance(given, dict):
            raise Skip("file tools and extension tools only")
        path = given.get("path") if tool in FILE_TOOLS else None
        if path is not None and not isinstance(path, str):
            raise Skip("a path is a text")
        decision, reason = self.gate.tool_call(tool, path)
        by, allowed = {"gate": "registration"}, False
        if decision is not None:
            allowed = decision.allowed
            by = {"gate": "tool", "surface": tool, "value": decision.value, "rule": decision.rule}
            by |= {"origin": decision.origin, "resolution": decision.resolution}
        return {"outcome": "allow" if allowed else "block", "reason": reason or "", "by": by, "prompts": self.prompts}

    def ask_person(self, message):
        if self.answers is None:
            return None
        self.prompts.append({"message": message, "options": ["yes", "no"]})
        answer = self.answers.pop(0)["answer"] if self.answers else "dismiss"
        if answer in ("approve", "deny", "dismiss"):
            return answer == "approve"
        raise Skip(f"a person cannot answer {answer} here")

    def end(self, _):
        self.gate = None
        return {}

    bye = end


def main():
    adapter = Adapter()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer = {"id": request["id"]}
        try:
            answer["result"] = getattr(adapter, request["method"])(request)
        except (NotUnderstood, json.JSONDecodeError) as what:
            answer["skip"] = f"does not understand {what}"
        except Skip as reason:
            answer["skip"] = str(reason)
        except Exception as error:  # pylint: disable=broad-except
            answer["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)
        if request["method"] == "bye":
            return


if __name__ == "__main__":
    main()
