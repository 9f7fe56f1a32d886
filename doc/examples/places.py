#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints where processes and threads run: places.py ARCHIVE/traces.otf2

Prints the nodes of the machine with the places that processes are bound to, and the processor of each thread. Needs
Python's otf2 module; reads no events."""
import sys

import otf2


def known(properties, kind, owner):
    """Properties MEASURE::NAME of one definition, as NAME: value."""
    return {prop.name.removeprefix("MEASURE::"): prop.value
            for prop in properties if getattr(prop, kind) == owner}


def depth(node):
    return 0 if node.parent is None else 1 + depth(node.parent)


def size(number):
    """Bytes with a binary unit."""
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
                      f"{facts.get('PLACE', 'no further details')}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
