#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of measure --attach: a program that runs is recorded for a while, twice, and goes on
set -eu
unset MEASURE_QUIET # measure says when it records
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
program=
trap 'kill $program 2>/dev/null || true; rm -rf "$work"' EXIT
[ -x ./measure ] || { echo 'skipped: measure is not built'; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo 'skipped: only on x86-64'; exit 77; }
! grep -q __asan_init .libs/libmeasure.so || { echo 'skipped: AddressSanitizer must be loaded first of all'; exit 77; }

# It was not started by measure, and knows nothing of it.
sh -c 'while read -r line </proc/self/stat; do sleep 0.01; done' &
program=$!
sleep 0.2

# Record it until somebody ends the recording: Ctrl-C, or from anywhere measure --detach.
for run in run1 run2; do
	./measure --attach $program --adapters=+posixio -o "$work/$run" 2>"$work/said" &
	attached=$!
	until grep -q . "$work/said"; do sleep 0.05; done
	sleep 0.3
	./measure --detach $program
	wait $attached
	"$here/../../tests/soundness.sh" --rectangles 0 "$work/$run"
	./measure-profile "$work/$run" | grep -q ' read$' || { echo "$run: no read() was recorded"; exit 1; }
done
kill -0 $program
