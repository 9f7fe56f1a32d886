# SPDX-License-Identifier: BSD-3-Clause
"""Writes an archive with names that break what does not escape them, and times beyond 2^53 nanoseconds:
hostile_archive.py DIRECTORY."""
import sys

NAMES = (
    "</script><script>alert(1)</script>", "\U0001f525 \u202e reversed", "x" * 10_000, "a\"b\\c'd", "&amp;<b>%s%n",
    "tab\tnewline\nreturn\r", "semi;colon 12", "\\N\\l\\", "{record|<port>}", " ", "\x01\x7f\x1b[31m")
FIRST, LAST = 2**53 + 1, 2**60 + 7


def main(directory):
    import otf2
    from otf2.enums import MetricMode, Type
    with otf2.writer.open(directory, timer_resolution=1_000_000_000) as trace:
        definitions = trace.definitions
        node = definitions.system_tree_node("node\"\\</script>")
        group = definitions.location_group("process;\"\\\n</script>", system_tree_parent=node)
        writer = trace.event_writer("thread\"\\\n\x02", group=group)
        metric = definitions.metric("m\"\\\n;", unit="u\"", value_type=Type.DOUBLE, metric_mode=MetricMode.ABSOLUTE_POINT)
        regions = [definitions.region(name, source_file=name, begin_line_number=1) for name in NAMES]
        writer.enter(0, regions[0])
        for i, region in enumerate(regions[1:]):
            writer.enter(FIRST + i, region)
        for value in (1.5, float("inf"), float("-inf"), float("nan")):
            writer.metric(FIRST + 100, metric, value)
        for region in reversed(regions):
            writer.leave(LAST, region)


if __name__ == "__main__":
    main(sys.argv[1])
