# SPDX-License-Identifier: BSD-3-Clause
"""Forks, teams and their barriers: for archive.py, of one process."""
import collections


class Stacks:
    """Forks, teams and barriers of one location: what is open, innermost last."""

    def __init__(self, process, location, make_point):
        self.process, self.location, self.make_point = process, location, make_point
        self.forks, self.teams, self.barriers = [], [], []
        self.nr_begun = collections.Counter()

    def read(self):
        archive = self.process.archive
        for position, (name, fields) in enumerate(archive.locations[self.location].events):
            handler = getattr(self, "on_" + name, None)
            if handler:
                handler(self.make_point(self.location, position, None), *fields)

    def on_ThreadFork(self, point, *_):
        self.forks.append({"fork": point, "has_team": False})

    def on_ThreadJoin(self, point, *_):
        if self.forks:
            self.forks.pop()["join"] = point

    def on_ThreadTeamBegin(self, point, comm):
        fork = None
        if self.forks and not self.forks[-1]["has_team"]:
            fork = self.forks[-1]
            fork["has_team"] = True
        key = comm, self.nr_begun[comm]
        self.nr_begun[comm] += 1
        team = {"key": key, "begin": point, "end": None, "fork": fork, "nr_barriers": 0}
        self.process.teams[key].append(team)
        self.teams.append(team)

    def on_ThreadTeamEnd(self, point, _comm):
        if self.teams:
            self.teams.pop()["end"] = point

    def barrier_of(self, region):
        """The innermost team, where the region is one of its barriers."""
        if self.teams and self.process.is_barrier(region, self.teams[-1]["key"][0]):
            return self.teams[-1]
        return None

    def on_Enter(self, point, region):
        team = self.barrier_of(region)
        if team:
            barrier = [point, None]
            self.process.barriers[team["key"], team["nr_barriers"]].append(barrier)
            team["nr_barriers"] += 1
            self.barriers.append((region, barrier))

    def on_Leave(self, point, region):
        if self.barriers and self.barriers[-1][0] == region:
            self.barriers.pop()[1][1] = point
