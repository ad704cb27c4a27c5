"""An adapter that misbehaves in the way its first argument names, at the tool call of the scenario `bad`. It allows everything."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
scenario = ""


def raw(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(id, **reply):
    raw(json.dumps({"id": id, **reply}) + "\n")


def hello(id, **more):
    result = {"protocol": 1, "name": "fake", "version": "1", "language": "Python", "capabilities": [], "levels": ["baseline"]}
    answer(id, result={**result, **more})


def misbehave(id):
    print(f"about to: {mode}", file=sys.stderr, flush=True)
    good = {"outcome": "allow", "by": {"gate": "tool"}}
    if mode == "crash":
        os._exit(3)
    elif mode == "once":
        open(sys.argv[2], "w").close()
        os._exit(3)
    elif mode == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "exit":
        os._exit(0)
    elif mode == "hang":
        # A child of its own that would outlive it.
        child = subprocess.Popen(["sleep", "300"])
        with open(sys.argv[2], "w") as file:
            file.write(f"{child.pid} {os.getpid()}")
        time.sleep(300)
    elif mode in ("daemons", "daemons-hang"):
        # One out of its group, one that forgot its environment as well, one whose parent is gone, one of whom all that is true; and files
        # where such files go.
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        away = subprocess.Popen(["sleep", "300"], start_new_session=True, **quiet)
        bare = subprocess.Popen(["sleep", "300"], start_new_session=True, env={"PATH": os.environ["PATH"]}, **quiet)
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
            os.write(writing, str(os.getpid()).encode())
            for stream in (0, 1, 2, writing):
                os.close(stream)
            time.sleep(300)
            os._exit(0)
        os.wait()
        orphan = os.read(reading, 20).decode()
        if os.fork() == 0:
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
            os.write(writing, str(os.getpid()).encode())
            for stream in (0, 1, 2):
                os.close(stream)
            os.execve(shutil.which("sleep"), ["sleep", "300"], {})
        os.wait()
        lost = os.read(reading, 20).decode()
        with tempfile.NamedTemporaryFile("w", prefix="left-", delete=False) as left:
            left.write("x")
        with open(sys.argv[2], "w") as file:
            file.write(f"{away.pid} {bare.pid} {orphan} {lost} {os.getpid()}")
        if mode == "daemons":
            answer(id, result=good)
        else:
            time.sleep(300)
    elif mode == "slow":
        time.sleep(0.4)
        answer(id, result={})
    elif mode == "garbage":
        raw("Traceback (most recent call last)\n")
    elif mode == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    elif mode == "half":
        raw('{"id":%d,"resu' % id)
        os._exit(1)
    elif mode == "closed":
        os.close(1)
        time.sleep(300)
    elif mode == "deaf":
        os.close(0)
        answer(id, result=good)
        time.sleep(300)
    elif mode == "huge":
        raw("x" * (17 * 1024 * 1024) + "\n")
    elif mode == "endless":
        while True:
            raw("x" * 65536)
    elif mode == "wrong-id":
        answer(id + 40, result=good)
    elif mode == "old-id":
        answer(id - 1, result=good)
    elif mode == "text-id":
        answer(str(id), result=good)
    elif mode == "twice":
        answer(id, result=good)
        answer(id, result=good)
    elif mode == "nobody":
        answer(id, result=good)
        answer(1000, result=good)
    elif mode == "flood":
        for number in range(100000):
            answer(number, result=good)
    elif mode == "chatty":
        print("allowing")
        answer(id, result=good)
    elif mode == "wrong-stream":
        print(json.dumps({"id": id, "result": good}), file=sys.stderr, flush=True)
    elif mode == "shape":
        answer(id, result={"outcom": "allow"})
    elif mode == "both":
        answer(id, result=good, skip="both")
    elif mode == "error":
        answer(id, error="the gate is out of order")
    elif mode == "skip":
        answer(id, skip="no reading here")
    elif mode == "wrong":
        answer(id, result={"outcome": "block", "by": {"gate": "path"}})
    else:
        answer(id, result=good)


for line in sys.stdin:
    request = json.loads(line)
    id, method = request["id"], request["method"]
    if mode == "sleepy" and method == "step":
        time.sleep(0.03)
    if method == "hello":
        if mode == "once" and os.path.exists(sys.argv[2]):
            os._exit(9)
        elif mode == "no-hello":
            os._exit(9)
        elif mode == "hello-hang":
            time.sleep(300)
        elif mode == "hello-garbage":
            raw("Welcome!\n")
        elif mode == "hello-capability":
            hello(id, capabilities=["bsh"])
        elif mode == "hello-version":
            hello(id, protocol=2)
        else:
            hello(id)
    elif method == "begin":
        scenario = request["world"]["scenario"]
        answer(id, result={})
    elif method == "step" and request["step"]["kind"] == "toolCall":
        if scenario == "bad":
            misbehave(id)
        else:
            answer(id, result={"outcome": "allow", "by": {"gate": "tool"}})
    else:
        answer(id, result={})
        if method == "end" and scenario == "bad" and mode in ("late", "later"):
            print(f"about to: {mode}", file=sys.stderr, flush=True)
            # While the next row is prepared, or while it begins.
            time.sleep({"late": 0, "later": 0.002}[mode])
            raw("one more thing\n")
        if method == "bye":
            break
