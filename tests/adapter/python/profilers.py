# SPDX-License-Identifier: BSD-3-Clause
# A program with profile functions of its own. What it sees is what it sees without measure. Prints that, and the
# functions that are recorded below Python 3.12: those that are called while it has none.
import cProfile
import sys
import threading

seen = []
calls = {}


def observe(frame, event, argument):
    if event == "call":
        seen.append(frame.f_code.co_name)


def before(n):
    calls["before"] = calls.get("before", 0) + 1
    return within(n) if n else 0


def within(n):
    calls["within"] = calls.get("within", 0) + 1
    assert sys.getprofile() is None
    sys.setprofile(observe)
    hidden(n)
    assert sys.getprofile() is observe
    sys.setprofile(None)
    assert sys.getprofile() is None
    return after(n)


def hidden(n):
    return n and hidden(n - 1)


def after(n):
    calls["after"] = calls.get("after", 0) + 1
    return before(n - 1)


def profiled():
    calls["profiled"] = calls.get("profiled", 0) + 1
    profiler = cProfile.Profile()
    profiler.enable()
    hidden(5)
    profiler.disable()
    profiler.create_stats()
    print("cProfile", sum(entry[0] for key, entry in profiler.stats.items() if key[2] == "hidden"))


def in_thread():
    hidden(2)


def threads():
    calls["threads"] = calls.get("threads", 0) + 1
    threading.setprofile(observe)
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    threading.setprofile(None)


before(5)
profiled()
threads()
print("seen", len(seen), sorted(set(seen)))
for name, count in sorted(calls.items()):
    print(name, count)
