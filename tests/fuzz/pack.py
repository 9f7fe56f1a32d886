#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes an input of a fuzz target (tests/fuzz/fuzz.h) of what is on the disk:

	pack.py repair DIR >INPUT       a run directory that is not assembled
	pack.py journal DIR... >INPUT   parts of one, by their journals
	pack.py events FILE >INPUT      an event file of a part
	pack.py archive DIR >INPUT      an archive

Event files are cut behind their first 4 KiB, so that inputs stay small."""
import os
import struct
import sys

MOST = 4096


def records(path):
    """Frames as "words, kind, payload", without the checksum."""
    data = open(path, "rb").read() if os.path.exists(path) else b""
    packed, position = b"", 0
    while position + 16 <= len(data):
        length, kind = struct.unpack_from("<II", data, position)
        words = (length - 16) // 8
        if length < 16 or words > 255:
            break
        packed += bytes((words, kind)) + data[position + 16 : position + length]
        position += length
    return packed


def content(path):
    if os.path.basename(path) in ("journal", "keeper"):
        return records(path)
    return open(path, "rb").read(MOST if path.endswith(".evt") else -1)


def section(name, data):
    return b"@@@" + name.encode() + b"\n" + data


def tree(directory):
    packed = b""
    for folder, folders, files in os.walk(directory):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            packed += section(os.path.relpath(path, directory), content(path))
    return packed


def journals(parts):
    return b"".join(
        section("part", b"".join(records(os.path.join(part, name)) for name in ("keeper", "journal")))
        for part in parts
    )


def main(kind, *paths):
    if kind in ("repair", "archive"):
        packed = tree(paths[0])
    elif kind == "journal":
        packed = journals(paths)
    else:
        packed = section("chunk", content(paths[0]))
    sys.stdout.buffer.write(packed)


main(*sys.argv[1:])
