# SPDX-License-Identifier: BSD-3-Clause
# A wave on a string, distributed over ranks by mpi4py. Needs nothing else. Prints how often its functions were called
# on all ranks: measure records exactly these calls.
import array
import math
import sys

from mpi4py import MPI

calls = {}


class String:
    """The part of the string that this rank has, with one more point on both sides."""

    def __init__(self, world, points):
        calls["String.__init__"] = calls.get("String.__init__", 0) + 1
        self.world = world
        self.now = array.array("d", (math.sin(3 * math.pi * (world.rank * points + i) / (points * world.size)) for i in range(points + 2)))
        self.before = self.now[:]

    def exchange(self):
        calls["String.exchange"] = calls.get("String.exchange", 0) + 1
        left, right = self.world.rank - 1, self.world.rank + 1
        left = left if left >= 0 else MPI.PROC_NULL
        right = right if right < self.world.size else MPI.PROC_NULL
        now = memoryview(self.now)
        self.world.Sendrecv(now[1:2], dest=left, recvbuf=now[-1:], source=right)
        self.world.Sendrecv(now[-2:-1], dest=right, recvbuf=now[:1], source=left)

    def step(self):
        calls["String.step"] = calls.get("String.step", 0) + 1
        self.exchange()
        now, before = self.now, self.before
        for i in range(1, len(now) - 1):
            before[i] = now[i - 1] + now[i + 1] - before[i]
        self.now, self.before = before, now

    def energy(self):
        calls["String.energy"] = calls.get("String.energy", 0) + 1
        mine = sum((a - b) ** 2 for a, b in zip(self.now[1:-1], self.before[1:-1]))
        return self.world.allreduce(mine)


def times(steps, every):
    """Yields the steps after which to look."""
    calls["times"] = calls.get("times", 0) + 1
    for step in range(every, steps + 1, every):
        yield step
        calls["times"] += 1


def main(points, steps):
    calls["main"] = calls.get("main", 0) + 1
    string = String(MPI.COMM_WORLD, points)
    done = 0
    for step in times(steps, 25):
        while done < step:
            string.step()
            done += 1
        energy = string.energy()
    return energy


energy = main(int(sys.argv[1]), int(sys.argv[2]))
if MPI.COMM_WORLD.rank == 0:
    print(f"energy {energy:.6f}")
    for name in sorted(calls):
        print(name, calls[name] * MPI.COMM_WORLD.size)
