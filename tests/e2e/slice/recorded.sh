#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: slices of a recording with messages, collectives, windows, files, teams, tasks and locks are sound, wherever they are cut
# SLICE_WINDOWS=200 tests/e2e/slice/recorded.sh: that many windows
. "$(dirname "$0")/../lib.sh"
t_need_mpirun
command -v mpicc >/dev/null || t_skip 'no mpicc'
cd "$work" || exit 1
mpicc -g -fopenmp -o recorded "$t_here/recorded.c" 2>words || t_skip "no OpenMP: $(cat words)"
launcher='mpirun -n 3' t_record archive --adapters=+posixio -- "$work/recorded" "$work/written" ||
	t_fail "not recorded: $(cat words)"
"$t_build/measure-check" archive >check
grep -q ' 0 errors, 0 warnings' check || t_skip "the recording itself is not sound: $(grep -iA 3 'error\|warning' check | head -n 4)"

RANDOM=${SLICE_SEED:-1}
for ((i = 0; i < ${SLICE_WINDOWS:-12}; i++)); do
	from=$((RANDOM % 1000000)) until=$((RANDOM * 31 % 1000000))
	[ "$from" -le "$until" ] || { until=$from from=$((from / 2)); }
	from=$((from / 10000)).$(printf %04d $((from % 10000)))% until=$((until / 10000)).$(printf %04d $((until % 10000)))%
	what="--from $from --until $until"
	rm -rf slice
	"$t_build/measure-convert" archive --to otf2 --from "$from" --until "$until" -o slice || t_fail "$what: status $?"
	"$t_build/measure-check" slice >check
	grep -q ' 0 errors, 0 warnings' check || t_fail "$what: $(grep -iA 3 'error\|warning' check | head -n 8)"
done
"$t_tests/soundness.sh" --rectangles 0 slice || t_fail 'not sound'
t_end
