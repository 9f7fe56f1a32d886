# SPDX-License-Identifier: BSD-3-Clause
"""What an archive says of each file, one line each; names without directories."""
import collections
import os.path
import sys

import otf2
from otf2.enums import IoOperationMode


def main(anchor):
    bytes_of = collections.Counter()
    users = collections.defaultdict(set)
    offsets = collections.defaultdict(set)
    deleted = set()
    begun = {}
    with otf2.reader.open(anchor) as trace:
        handles = collections.Counter(handle.file for handle in trace.definitions.io_handles)
        for location, event in trace.events:
            if isinstance(event, otf2.events.IoDeleteFile):
                deleted.add(event.file)
            if isinstance(event, otf2.events.IoOperationBegin):
                users[event.handle.file].add(location.group)
                begun[location, event.handle, event.matching_id] = event.mode
                for attribute, value in (event.attributes or {}).items():
                    if attribute.name == "Offset":
                        offsets[event.handle.file].add(value)
            if isinstance(event, otf2.events.IoOperationComplete):
                mode = begun.pop((location, event.handle, event.matching_id))
                bytes_of[event.handle.file, mode] += event.bytes_result
        for file in sorted(handles, key=lambda file: file.name):
            print(f"{os.path.basename(file.name)}:",
                  f"{handles[file]} handles, {len(users[file])} processes,",
                  f"{bytes_of[file, IoOperationMode.WRITE]} bytes written,",
                  f"{bytes_of[file, IoOperationMode.READ]} read,",
                  f"highest offset {max(offsets[file])}" +
                  (", deleted" if file in deleted else ""))
        print("open:", len(begun))


main(sys.argv[1])
