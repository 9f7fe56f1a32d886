# SPDX-License-Identifier: BSD-3-Clause
"""Files of times, one per location, as generate and reference.py write them."""
import array
import os
import sys


def read_times(directory, location):
    """What generate and reference.py write; None without a file."""
    path = os.path.join(directory, f"{location.ident}.time")
    times = array.array("Q")
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        times.frombytes(file.read())
    if sys.byteorder == "big":
        times.byteswap()
    return times


def all_times(archive, directory):
    """Of each location, as many as it has events; a damaged one has less."""
    for location in archive.locations:
        times = read_times(directory, location)
        if times is None or len(times) < len(location.times) or (
                location.is_whole and len(times) != len(location.times)):
            sys.exit(f"{directory}: no times of location {location.ident}, or too few")
        yield times[:len(location.times)]


def with_times(archive, directory):
    """The archive, its times replaced where a directory is given."""
    if directory:
        for location, times in zip(archive.locations, list(all_times(archive, directory))):
            location.times = list(times)
    return archive
