# SPDX-License-Identifier: BSD-3-Clause
"""Made-up archives, one for each seed: what the program does, how its clocks are wrong, what is damaged."""
import random

# Program, ranks and threads; nodes where several processes share one.
PROGRAMS = [
    "mixed --ranks 5 --threads 4", "mixed --ranks 4", "mixed --ranks 6 --threads 2 --nodes 3",
    "collectives,nonblocking --ranks 8", "pthread,ring --ranks 3 --threads 3",
    "nested,tasks,locks --ranks 2 --threads 5", "unmatched,requests --ranks 4",
    "requests,halo --ranks 6 --nodes 2", "multiple,ambiguous,hybrid --ranks 3 --threads 3",
    "ambiguous,ring --ranks 2 --threads 6", "inter,comms --ranks 7", "master-worker,ring --ranks 9 --nodes 3",
    "mixed --ranks 1", "hybrid,tasks,locks --ranks 1 --threads 6", "nested,inter --ranks 4 --threads 4 --nodes 2",
    "synchronous,tasks --ranks 4 --threads 3",
    "windows --ranks 5", "windows,halo,hybrid --ranks 4 --threads 2 --nodes 2", "ring,comms --ranks 4 --spawned 3",
    "windows,hybrid --ranks 6 --threads 2 --nodes 3 --spawned 2 --created 2",
]
CLOCKS = [
    "offset=300", "drift=500,walk=900 --work 1000000", "offset=50,drift=50 --samples ends --rtt 40000",
    "slew=0.001 --work 1000000", "offset=1000,tick=1000",
    "offset=20,sine=50,period=0.01 --samples periodic --sample-every 1 --rtt 20000",
    "offset=100 --clock-of node", "step=300,every=0.0005,socket=50", "offset=0", "offset=100000",
    "offset=200,drift=50 --samples periodic --sample-every 1 --rtt 20000 --outliers 30", "offset=30,tick=100",
]
FAULTS = ["", "", "", "", "--missing 1", "--truncated 1", "--truncated 2", "--empty 2", "--missing 1 --truncated 1"]


class Case:
    """arguments: of generate. has_...: what the properties must know."""

    def __init__(self, seed):
        choose = random.Random(seed).choice
        self.seed = seed
        self.program, self.clock, self.fault = choose(PROGRAMS), choose(CLOCKS), choose(FAULTS)
        if self.program == "mixed --ranks 1" and self.fault != "--empty 2":
            self.fault = ""  # without its only rank nothing can be read, and that is refused
        self.arguments = (f"--program {self.program} --clock {self.clock} {self.fault} --iterations 15 "
                          f"--seed {seed}").split()
        self.is_cut = "truncated" in self.fault
        self.is_held = "step" in self.clock
        # Processes that are made while clocks are far apart go on soon behind a long jump.
        self.is_steep = self.is_held or "outliers" in self.clock or "spawned" in self.program
        self.is_coarse = "tick" in self.clock or self.is_held
        # Threads of a process contradict its one clock.
        self.has_sockets = "socket" in self.clock and "threads" in self.program
