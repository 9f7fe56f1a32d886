# SPDX-License-Identifier: BSD-3-Clause
# Ends in 21 calls of a function, in the way that the argument says.
import os
import signal
import sys

ways = {
    "exit": lambda: sys.exit(5),
    "_exit": lambda: os._exit(6),
    "raise": lambda: [][1],
    "abort": os.abort,
    "TERM": lambda: os.kill(os.getpid(), signal.SIGTERM),
    "KILL": lambda: os.kill(os.getpid(), signal.SIGKILL),
}


def deep(n):
    return deep(n - 1) if n else ways[sys.argv[1]]()


deep(20)
