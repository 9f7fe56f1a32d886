# SPDX-License-Identifier: BSD-3-Clause
# Nanoseconds of a call: of a function of Python, of one of C, and of none. Argument: cProfile, to run under that.
import sys
import time


def function(x):
    return x


def python_calls(n):
    start = time.perf_counter()
    for i in range(n):
        function(i)
    return time.perf_counter() - start


def c_calls(n):
    called = sys.getrecursionlimit
    start = time.perf_counter()
    for i in range(n):
        called()
    return time.perf_counter() - start


if sys.argv[1:] == ["cProfile"]:
    import cProfile

    cProfile.Profile().enable()
for name, loop in (("python_ns", python_calls), ("c_ns", c_calls)):
    print(name, min(loop(200000) for _ in range(5)) / 200000 * 1e9)
