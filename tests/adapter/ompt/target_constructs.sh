#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: target constructs of OpenMP with transfers, bytes and kernels: of a run-time library that plays a device,
# by both kinds of callbacks; and, where clang has a device (the host: clang 17 or later), of a program.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export MEASURE_QUIET=yes MEASURE_OVERHEAD=off OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

fail()
{
	echo "failed: $*"
	exit 1
}

[ -e .libs/libmeasure-ompt.so ] || { echo "the ompt adapter is not built"; exit 77; }

# record OPTIONS... COMMAND: a sound archive, of which $work/events tells
record()
{
	rm -rf "$work/run"
	timeout 60 ./measure -o "$work/run" "$@" >"$work/said" 2>"$work/words" || fail "$*: $(cat "$work/words")"
	[ ! -s "$work/words" ] || fail "$*: $(cat "$work/words")"
	sh "$here/../../soundness.sh" --rectangles 0 "$work/run" >"$work/sound" || fail "$*: $(cat "$work/sound")"
	awk '/^Losses/ { getline; exit $1 != "none" }' "$work/run/summary.txt" ||
		fail "$*: $(sed -n '/^Losses/,/^$/p' "$work/run/summary.txt")"
	otf2-print "$work/run/traces.otf2" >"$work/events"
}

# expect N PATTERN: so many Enters of such regions
expect()
{
	found=$(grep -c "^ENTER.*Region: \"$2" "$work/events")
	[ "$found" = "$1" ] || fail "$found times $2, not $1"
}

# Bytes of transfers: attributes stand in the line behind their record.
bytes()
{
	awk '/^ENTER/ { is_transfer = /: transfer (to|from) device"/ }
		is_transfer && match($0, /"OPENMP::BYTES" <[0-9]+>; UINT64; [0-9]+/) {
			text = substr($0, RSTART, RLENGTH); sub(/.* /, "", text); sum += text }
		END { print sum + 0 }' "$work/events"
}

flags=$(sed -n 's/^OMPT_CFLAGS = //p' Makefile)
# shellcheck disable=SC2086 # several words
${CC:-cc} -O1 -g $flags -o "$work/runtime" "$here/target_runtime.c" || fail "target_runtime.c"
for once in '' once; do
	# shellcheck disable=SC2086 # one word or none
	record -a +ompt "$work/runtime" $once
	grep -qx 'tool there' "$work/said" || fail "the tool does not start"
	expect 5 '!$omp target @'
	expect 5 '!$omp target: kernel'
	expect 5 '!$omp target: allocation'
	expect 5 '!$omp target: release'
	[ "$(bytes)" = $((5 * (4096 + 1024))) ] || fail "$(bytes) bytes"
	otf2-print -G "$work/run/traces.otf2" | grep -q 'OPENMP_DEVICE_0.*Value: "a device"' || fail "no device"
done

for clang in ${TARGET_CLANG:-clang-19 clang-18 clang-17 clang}; do
	"$clang" -O1 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -o "$work/program" "$here/target_program.c" \
		>/dev/null 2>&1 && "$work/program" >"$work/plain" 2>/dev/null && break
	rm -f "$work/program"
done
[ -x "$work/program" ] || { echo "only the library that plays a device: no clang that has one"; exit 0; }
record "$work/program"
cmp "$work/plain" "$work/said" || fail "other output"
grep -q '^ENTER.*"!$omp target' "$work/events" || { echo "this clang's library has no callbacks of devices"; exit 0; }
count()
{
	sed -n "s/^count $1 //p" "$work/said"
}
expect "$(count kernel)" '!$omp target: kernel'
expect "$(count enter)" '!$omp target enter data'
expect "$(count exit)" '!$omp target exit data'
expect "$(count update)" '!$omp target update'
[ "$(bytes)" = "$(sed -n 's/^bytes //p' "$work/said")" ] || fail "$(bytes) bytes, not $(cat "$work/said")"
