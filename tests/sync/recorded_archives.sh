#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: what measure records of MPI and OpenMP on wrong clocks is corrected to the same times with any
# number of threads, as offsets or rewritten, for whoever reads it with the OTF2 library; all
# records are there in their order, and no relation is left violated.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip()
{
	echo "skipped: $*"
	exit 77
}

fail()
{
	echo "failed: $*"
	exit 1
}

mpicc=$(sed -n 's/^MPICC = //p' Makefile) mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
command -v "$mpicc" >/dev/null && command -v "$mpirun" >/dev/null || skip 'no MPI'
command -v otf2-print >/dev/null || skip 'no otf2-print'
[ -e .libs/libmeasure-mpi.so ] || skip 'the MPI adapter is not built'
. "$here/../mpirun.sh"
"$mpicc" -fopenmp -o "$work/recorded" "$here/recorded_archives.c" 2>"$work/words" || skip "no OpenMP: $(cat "$work/words")"

# Events of each location in their order, without times.
records()
{
	otf2-print "$1/traces.otf2" | awk '/^[A-Z_]+ +[0-9]+ +[0-9]+/ { $3 = ""; print }' | sort -s -n -k 2,2
}

# tries PRESYNC: of $work/trace
tries()
{
	for emit in offsets events; do
		for threads in 1 2 5; do
			rm -rf "$work/out"
			./measure-sync -q --presync="$1" --emit=$emit --threads=$threads "$work/trace" -o "$work/out" ||
				fail "--presync=$1 --emit=$emit --threads=$threads: status $?"
			otf2-print "$work/out/traces.otf2" >"$work/now" || fail "otf2-print of $emit"
			[ -e "$work/first" ] || mv "$work/now" "$work/first"
			[ ! -e "$work/now" ] || cmp -s "$work/first" "$work/now" ||
				fail "--presync=$1 --emit=$emit --threads=$threads: $(diff "$work/first" "$work/now" | head -n 4)"
		done
	done
	rm "$work/first" "$work/out" -r
	./measure-sync --json --presync="$1" "$work/trace" -o "$work/out" >"$work/report" || fail "--json: status $?"
	./measure-check -q "$work/out" || fail "not sound: $(./measure-check "$work/out")"
	records "$work/out" | cmp -s "$work/records" - || fail 'not the records that were there'
}

# record RANKS THREADS OPTION...
record()
{
	ranks=$1 threads=$2
	shift 2
	rm -rf "$work/trace"
	timeout 60 "$mpirun" -n "$ranks" ./measure -q "$@" -o "$work/trace" "$work/recorded" "$threads" >"$work/words" 2>&1 ||
		fail "$*: status $?: $(cat "$work/words")"
	records "$work/trace" >"$work/records"
	[ "$(wc -l <"$work/records")" -gt 1000 ] || fail "few events: $(wc -l <"$work/records")"
}

record 2 2 --clock simulated:offset=1ms,drift=50ppm
tries none
! grep -q '^  "presync": {"reversed": 0' "$work/report" || fail 'nothing was wrong'
record 3 3 --clock simulated:offset=200us,drift=500ppm --sync-interval 0.01
tries piecewise
