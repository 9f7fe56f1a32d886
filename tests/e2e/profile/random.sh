#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile adds up archives of random events as Python does, and windows side by side are the whole; PROFILE_SEEDS='1 500' tries as many
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
cd "$work" || exit 1

# profile NAME OPTION...
profile()
{
	"$t_build/measure-profile" --format json "${@:2}" archive >"$1.json" 2>words ||
		t_fail "seed $seed, $*: status $?: $(cat words)"
}

for seed in $(seq ${PROFILE_SEEDS:-1 12}); do
	rm -rf archive
	"$python" "$t_here/random_archive.py" $seed archive 2>words || t_skip "Python cannot write archives: $(tail -n 1 words)"
	profile whole -t 1
	profile parallel -t 3
	cmp whole.json parallel.json || t_fail "seed $seed: other results with 3 threads"
	"$python" "$t_here/totals.py" archive/traces.otf2 whole.json >words 2>&1 || t_fail "seed $seed: $(head -n 8 words)"
	profile first --until 7.3%
	profile second --from 7.3% --until 50%
	profile third --from 50% --until 50.1%
	profile last --from 50.1%
	resolution=$(otf2-print -G archive/traces.otf2 | sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\).*/\1/p')
	"$python" "$t_here/windows.py" $resolution whole.json {first,second,third,last}.json >words 2>&1 ||
		t_fail "seed $seed, windows: $(head -n 5 words)"
done
t_end
