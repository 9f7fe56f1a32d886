#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: an archive says which processors a process might use: those that it was bound to
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
command -v taskset >/dev/null || t_skip 'no taskset'

# bound ARCHIVE: as the archive says
bound()
{
	otf2-print -G "$1/traces.otf2" | sed -n 's/^LOCATION_GROUP_PROPERTY .*"MEASURE::PROCESSORS".*Value: "\([^"]*\)".*/\1/p'
}

# As the kernel says it of this shell.
all=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
"$measure" -o free true || t_fail "not bound: ends with $?"
t_equal 'not bound' "$all" "$(bound free)"
last=$(echo "$all" | sed 's/.*[-,]//')
taskset -c "$last" "$measure" -o one true || t_fail "bound: ends with $?"
t_equal "bound to $last" "$last" "$(bound one)"
t_end
