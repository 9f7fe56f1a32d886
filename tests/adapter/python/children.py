# SPDX-License-Identifier: BSD-3-Clause
# Starts children in all ways that Python has. Each function says how often it was called, in all of them together.
import concurrent.futures
import multiprocessing
import os
import subprocess
import sys


def square(x):
    return x * x


def child():
    square(3)
    os._exit(3)


def forked():
    pid = os.fork()
    if pid == 0:
        child()
    assert os.waitpid(pid, 0)[1] == 3 << 8


def main():
    forked()
    for how in ("fork", "spawn"):
        with multiprocessing.get_context(how).Pool(2) as pool:
            assert pool.map(square, range(8)) == [0, 1, 4, 9, 16, 25, 36, 49]
            pool.close()
            pool.join()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert sum(pool.map(square, range(8))) == 140
    program = "def inner(x): return x\nprint(sum(map(inner, range(4))))"
    print(subprocess.check_output([sys.executable, "-c", program]))


if __name__ == "__main__":
    main()
