#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: commands of OpenCL are on locations of the device, as many as the program says and as long as the device
# has told it: in order and out of order, of several queues and threads, with callbacks, of released queues, of programs
# that never wait or that fork. Queues and events seem to the program as they are without Measure.
. "$(dirname "$0")/t_opencl.sh"

for way in basic threads out_of_order never_waits callbacks parts released forks; do
	record $way
	python3 "$here/check_commands.py" "$work/events" "$work/definitions" "$work/said" || fail $way
	grep -q 'LOST_COMMANDS' "$work/definitions" && fail "$way: $(grep LOST_COMMANDS "$work/definitions")"
	[ "$(grep -c '^LOCATION_GROUP .*Type: ACCELERATOR.*Creator: .*Process 0' "$work/definitions")" = 1 ] ||
		fail "$way: groups: $(grep '^LOCATION_GROUP' "$work/definitions")"
	case $way in
	# what overlaps is beside each other; queues that are gone leave their locations to others
	out_of_order) [ "$(grep -c 'ACCELERATOR_STREAM' "$work/definitions")" -ge 2 ] || fail "nothing overlaps" ;;
	released) [ "$(grep -c 'ACCELERATOR_STREAM' "$work/definitions")" -le 20 ] || fail "locations of 100 queues" ;;
	esac
done

record failed
grep -q 'LOST_COMMANDS.*Value: 1$' "$work/definitions" || fail "failed: a command that has no times is not counted"
record questions
cmp "$work/plain" "$work/said" || fail "other answers: $(diff "$work/plain" "$work/said")"

# The clocks of host and device are related, and the archive says how well.
error=$(sed -n 's/^LOCATION_PROPERTY.*DEVICE_CLOCK_ERROR_NS.*Value: //p' "$work/definitions" | sort -n | tail -n 1)
[ "${error:-99999999}" -lt 10000000 ] || fail "clocks: ${error:-no} ns"
