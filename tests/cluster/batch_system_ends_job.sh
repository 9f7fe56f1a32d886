#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a batch system ends a job on two hosts: with TERM and time to end the archive is there, with KILL for
# all after repair; both are sound, have offsets within their bounds, and can be corrected.
. "$(dirname "$0")/lib.sh"

# end NAME GRACE MESSAGES: four ranks that would run for a minute, until $work/NAME.enough is there
end()
{
	"$here/hosts" "$here/step" "$work/$1.enough" "$2" "$here/mpirun" -n 4 "$PWD/measure" \
		--clock monotonic_raw -o "$work/$1" "$PWD/tests/cluster/meet" 60 "$work/$1.met" "$3" \
		>"$work/out" 2>"$work/words"
	status=$?
	[ $status != 77 ] || { cat "$work/out"; exit 77; }
	[ $status != 0 ] || fail "$1: ends by itself"
}

# until_enough NAME COMMAND...: makes $work/NAME.enough when the command succeeds, but for the minute
until_enough()
{
	name=$1
	shift
	for _ in $(seq 600); do
		"$@" && break
		sleep 0.1
	done
	: >"$work/$name.enough"
}

# Each of the four has written a chunk of events.
has_spooled()
{
	[ "$(find "$work/killed" -name '*.evt' -size +100k 2>/dev/null | wc -l)" = 4 ]
}

# whole NAME: four ranks on two hosts, with events
whole()
{
	sound "$1"
	describe "$1"
	awk -v RANKS=4 -v HOSTS=2 -v STEP=1000000000000 -f "$here/hosts.awk" "$work/definitions" "$work/offsets" ||
		fail "$1: offsets"
	[ "$(otf2-print "$work/$1/traces.otf2" | grep -c MPI_COLLECTIVE_END)" -ge 100 ] || fail "$1: few events"
	correct "$1"
}

need otf2-print bash
until_enough told [ -e "$work/told.met" ] &
end told 30 0
[ ! -e "$work/told/.parts" ] || fail "parts are left, although there was time"
whole told

until_enough killed has_spooled &
end killed 0 50
[ -e "$work/killed/.parts" ] || fail "killed: no parts are left"
# It cannot know that nobody on those hosts still writes.
./measure-repair --force "$work/killed" >"$work/words" 2>&1
whole killed
