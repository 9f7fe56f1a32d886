#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Who is where: places.py ARCHIVE/traces.otf2

Prints the nodes of the machine with what processes are bound to in them, and for each process and thread where
it is. Needs Python's otf2 module; reads no events."""
import sys

import otf2


def known(properties, kind, owner):
    """What is known of one definition: names behind MEASURE:: with their values."""
    return {prop.name.removeprefix("MEASURE::"): prop.value
            for prop in properties if getattr(prop, kind) == owner}


def depth(node):
    return 0 if node.parent is None else 1 + depth(node.parent)


def size(number):
    """Bytes as people write them."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.0f} {unit}"
        number /= 1024
    return f"{number:.0f} TiB"


def describe_node(definitions, node):
    facts = known(definitions.system_tree_node_properties, "system_tree_node", node)
    words = [facts["MODEL"]] if "MODEL" in facts else []
    words += [f"{name} {size(value)}" for name, value in facts.items()
              if name == "MEMORY" or name.endswith("_CACHE")]
    words += [f"processors {facts['PROCESSORS']}"] if "PROCESSORS" in facts else []
    return ", ".join([node.name] + words)


def main(anchor):
    with otf2.reader.open(anchor) as trace:
        definitions = trace.definitions
        for node in definitions.system_tree_nodes:
            print("  " * depth(node) + describe_node(definitions, node))
            for group in definitions.location_groups:
                if group.system_tree_parent == node:
                    print("  " * depth(node) + f"  * {group.name}")
        for location in definitions.locations:
            facts = known(definitions.location_properties, "location", location)
            if "PROCESSOR" in facts:
                print(f"{location.group.name}, {location.name} began on processor {facts['PROCESSOR']}: "
                      f"{facts.get('PLACE', 'the node has no more to tell')}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
