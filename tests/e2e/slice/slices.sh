#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: slices of generated archives are sound, open in the tools, have the messages inside of the window and the exclusive times of it; a slice of a slice is the slice
# SLICE_SEEDS=50 SLICE_WINDOWS=20 tests/e2e/slice/slices.sh: that many random archives, and windows of each
. "$(dirname "$0")/../lib.sh"
generate=$t_build/tests/sync/generate
export DUMP=$t_build/tests/sync/dump PYTHONDONTWRITEBYTECODE=1
command -v python3 >/dev/null || t_skip 'no python3'
for tool in "$generate" "$DUMP" measure-convert; do
	[ -x "$tool" ] || t_fail "$tool is not built"
done
cd "$work" || exit 1

# sliced FROM UNTIL OPTION...
sliced()
{
	rm -rf slice again
	"$t_build/measure-convert" archive --to otf2 --from "$1" --until "$2" "${@:3}" -o slice || t_fail "$what: status $?"
	"$t_build/measure-check" slice >check || t_fail "$what: $(grep -A 3 ERROR check)"
	grep -q ' 0 errors, 0 warnings' check || t_fail "$what: $(grep -iA 3 warning check)"
	otf2-print -Werror --silent slice/*.otf2 >print 2>&1 || t_fail "$what: $(tail -n 3 print)"
}

# same DIRECTORY DIRECTORY: but for the random number in the anchor, and how exact clock offsets are said to be
same()
{
	diff -rq "$1" "$2" | grep -v '\.\(otf2\|def\) differ$' >difference
	[ ! -s difference ] || t_fail "$what: $1, $2: $(cat difference)"
}

windows=${SLICE_WINDOWS:-3} nr_messages=0
# archive SEED ARGUMENT...: of generate
archive()
{
	rm -rf archive
	"$generate" --seed "$1" "${@:2}" archive || t_fail "generate --seed $*"
	python3 "$t_here/slices.py" windows archive "$1" "$windows" >windows || t_fail 'no windows'
	while read -r from until; do
		what="generate --seed $*; --from $from --until $until"
		sliced "$from" "$until"
		"$t_build/measure-profile" --format json --from "$from" --until "$until" archive >whole.json &&
			"$t_build/measure-profile" --format json slice >slice.json || t_fail "$what: measure-profile"
		found=$(python3 "$t_here/slices.py" compare archive slice whole.json slice.json 2>&1) ||
			{ t_fail "$what: $found"; found=0; }
		nr_messages=$((nr_messages + found))
		"$t_build/measure-analyze" slice >analysis 2>&1 || t_fail "$what: measure-analyze: $(tail -n 3 analysis)"
		"$t_build/measure-convert" slice --to otf2 -o again || t_fail "$what: again"
		same slice again
	done <windows
}

for ((seed = 1; seed <= ${SLICE_SEEDS:-2}; seed++)); do
	odd=$((seed % 2))
	for program in halo,order,any,requests,multiple collectives,nonblocking,comms,inter windows hybrid,nested,ordered \
		tasks,hybrid locks condition,pthread mixed; do
		archive "$seed" --program "$program" --ranks 4 --threads $((2 + odd)) --nodes $((1 + odd)) \
			--spawned $((seed % 3)) --iterations 60 --renumber $odd
	done
	archive "$seed" --program mixed --ranks 4 --threads 2 --iterations 60 --clock drift=1000 --samples ends --rtt 1
done
[ "$nr_messages" -gt 100 ] || t_fail "$nr_messages messages: nothing was compared"

# All of it is a copy; nothing but whole processes is kept.
what='all of it'
rm -rf copy
"$t_build/measure-convert" archive --to otf2 -o copy || t_fail "$what"
same archive copy
what='ranks 0 and 1'
sliced 0 100% --locations rank:0-1
"$t_build/measure-profile" --format csv --by process slice >processes
t_equal "$what: processes" 2 "$(($(wc -l <processes) - 1))"
what='aligned'
sliced 40% 60% --align
what='filtered'
echo 'exclude inner' >rules
sliced 40% 60% --filter rules
"$t_build/measure-profile" --format csv slice | grep -q '"inner"' && t_fail "$what: excluded calls are there"
t_end
