#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: calls of OpenSHMEM are in the archive as the program has made them, with bytes; also of threads with contexts of their own
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v oshcc >/dev/null || { echo 'skipped: no oshcc'; exit 77; }
command -v otf2-print >/dev/null || { echo 'skipped: no otf2-print'; exit 77; }
. "$here/../../mpirun.sh"
. "$here/../../oshmem.sh"
oshcc -O1 -g -w -pthread -o "$work/calls" "$here/shmem_calls.c" || { echo 'skipped: oshcc does not work'; exit 77; }

# run PES [ARGUMENT]
run()
{
	pes=$1
	shift
	status=0
	timeout 60 oshrun -n "$pes" "$work/calls" "$@" >"$work/plain" 2>"$work/words" || status=$?
	[ $status = 0 ] || { echo "skipped: OpenSHMEM does not work here: exit status $status: $(head -n 1 "$work/words")"; exit 77; }
	timeout 60 oshrun -n "$pes" ./measure -q -o "$work/archive" "$work/calls" "$@" >"$work/traced"
	cmp "$work/plain" "$work/traced"
	"$here/../../soundness.sh" --rectangles 0 "$work/archive"
	otf2-print "$work/archive/traces.otf2" >"$work/events"
	awk '
		function bytes() { match($0, /Bytes: [0-9]+/); return substr($0, RSTART + 7, RLENGTH - 7) }
		/^RMA_PUT / { put++; bytes_put += bytes() }
		/^RMA_GET / { get++; bytes_got += bytes() }
		/^RMA_ATOMIC / { atomic++ }
		/^RMA_COLLECTIVE_BEGIN / { begun++ }
		/^RMA_COLLECTIVE_END / { collective++ }
		/^RMA_WIN_(CREATE|DESTROY) / { collective += 0 }
		END {
			printf "put %d\nget %d\natomic %d\ncollective %d\nbytes_put %d\nbytes_got %d\n",
				put, get, atomic, collective, bytes_put, bytes_got
			if (begun != collective)
				print begun " begun"
		}' "$work/events" >"$work/found"
	diff "$work/plain" "$work/found"
	otf2-print -G "$work/archive/traces.otf2" >"$work/definitions"
	grep -q '^LOCATION_GROUP  *0  Name: "PE 0"' "$work/definitions"
	! otf2-print -G "$work/archive/traces.otf2" | grep -E '^REGION .*"shmem_' | grep -v 'Paradigm: SHMEM\|SHMEM' || exit 1
	rm -r "$work/archive"
}

run 3
for call in shmem_set_lock shmem_clear_lock shmem_long_wait_until shmem_fence; do
	[ "$(grep -c "^ENTER .*\"$call\"" "$work/events")" = 3 ] || { echo "failed: $call"; exit 1; }
done
run 2 3
