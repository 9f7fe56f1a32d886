#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: filters decide call by call: every n-th, by depth, time, thread, within a region, or by duration; what is left out is counted; a kill at any moment leaves a sound archive (FILTER_KILLS times, 4)
. "$(dirname "$0")/../lib.sh"
${CC:-gcc} -O0 -g -finstrument-functions -o "$work/calls" "$t_here/filter_by_call.c" -lpthread || t_skip 'no compiler'
cd "$work" || exit 1

# story DIR: the calls as they lie in each other, a line for each location
story()
{
	otf2-print "$1/traces.otf2" | awk '
		/^ENTER/ { match($0, /"[^"]*"/); text[$2] = text[$2] " " substr($0, RSTART + 1, RLENGTH - 2) "(" }
		/^LEAVE/ { text[$2] = text[$2] ")" }
		END { for (id in text) { gsub(/\(\)/, "", text[id]); print substr(text[id], 2) } }' | sort
}

# check: is the archive sound, by the quickest of all readers
check()
{
	"$measure-check" run >check.out 2>&1 || t_fail "$1: $(cat check.out)"
}

# expect WHAT STORY RULES
expect()
{
	rm -rf run
	printf '%s\n' "$3" >rules
	"$measure" -o run -f rules ./calls 2>err || t_fail "$1: exit status $?"
	t_equal "$1: stderr" '' "$(cat err)"
	t_equal "$1" "$2" "$(story run)"
	check "$1"
}

three='recurse( tick recurse( tick recurse( tick)))'
solve="solve( $three tick)"
expect 'every third' 'tick tick tick tick tick tick tick' 'exclude
include tick every=3'
expect 'every second of a recursion' 'main( solve( recurse( recurse)) recurse( recurse) solve( recurse))' \
	'exclude
include main solve
include recurse every=2'
expect 'depth' 'main( solve recurse slow stack jump solve)' 'exclude depth=3-
exclude tick'
expect 'within' "$solve $solve" 'exclude
include within=solve'
expect 'not within' 'main( recurse( recurse( recurse( recurse))) slow stack)' 'exclude within=solve
exclude tick jump'
expect 'within a region that is left out' "$three tick $three tick" 'exclude
include within=solve
exclude solve'
# Long enough for a machine that is busy otherwise.
SLOW_MS=900
export SLOW_MS
expect 'short' 'main( slow)' 'exclude shorter=600ms
exclude jump'
unset SLOW_MS
expect 'short, by name' 'main( slow( tick) stack( tick))' 'exclude recurse solve shorter=1000s
exclude jump
exclude tick
include tick within=slow within=stack'
expect 'what was recorded in a short one' 'main( solve( tick) stack( tick) solve( tick))' 'exclude
include main
include tick within=solve within=stack
include solve stack
exclude solve stack shorter=1000s
exclude within=recurse'
expect 'time' '' 'exclude time=-100000'
expect 'another time' 'main( slow( tick))' 'exclude
include main slow
include tick within=slow
exclude time=100000-'
expect 'thread' '' 'exclude thread=0'
expect 'another thread' 'main' 'exclude
include main
exclude thread=1-'
expect 'left by longjmp' 'main( jump( jump))' 'exclude
include main
include jump every=5'

# left_out DIR REGION: how many calls of it, as the properties say
left_out()
{
	otf2-print -G "$1/traces.otf2" | awk -v region="$2" '
		$1 == "REGION" && index($0, "Name: \"" region "\" ") { id = $2 }
		END { print id }' >region
	otf2-print -A "$1/traces.otf2" | awk -v id="$(cat region)" '
		/^Property name/ { is_count = $3 ~ /^MEASURE::LEFT_OUT::/ }
		/^Property value/ && is_count && $3 == id { calls = $4 }
		END { print calls + 0 }'
}

# entered DIR REGION: how many calls of it were recorded
entered()
{
	otf2-print "$1/traces.otf2" | grep -c "^ENTER .*\"$2\""
}

# Nothing vanishes: what was left out was counted.
rm -rf all
"$measure" -o all ./calls loop 300 2>err || t_fail "all: exit status $?"
for rules in 'shorter=1s' 'every=3' 'within=recurse depth=4-' 'tick; recurse every=2' 'thread=0 time=1-; tick every=7; solve shorter=2us'; do
	rm -rf run
	"$measure" -o run --exclude "$rules" ./calls loop 300 2>err || t_fail "$rules: exit status $?"
	for region in recurse solve main; do
		t_equal "$rules: calls of $region" "$(entered all $region)" \
			"$(($(entered run $region) + $(left_out run $region)))"
	done
	case $rules in
	tick\;*)
		t_equal 'calls of what is off' 0 "$(entered run tick)"
		t_equal 'every second call, beside what is off' 451 "$(entered run recurse)"
		;;
	*)
		t_equal "$rules: calls of tick" "$(entered all tick)" \
			"$(($(entered run tick) + $(left_out run tick)))"
		grep -q '^excluded .* by filter conditions on calls' run/summary.txt || t_fail "$rules: summary"
		;;
	esac
	check "$rules"
done

# No memory meanwhile: drop intervals. The disk hangs until the program has made half of its calls, which are more than memory has
# room for.
rm -rf run
gcc -O1 -shared -fPIC -o disk.so "$t_programs/faulty_disk.c" -ldl || t_skip 'no compiler'
: >trouble
LD_PRELOAD=$work/disk.so DISK_HANGS=$work/trouble "$measure" -o run -b 512K --full drop \
	--exclude 'tick shorter=100us; recurse every=2' ./calls loop 100000 trouble 2>err ||
	t_fail "drop intervals: exit status $?"
grep -q 'MEASURE::STALL::DROP_INTERVALS' <<-EOF || t_fail 'there were no drop intervals'
	$(otf2-print -A run/traces.otf2)
EOF
cd "$t_build" && t_sound "$work/run"
cd "$work" || exit 1

# In a child, calls that are open go on, recorded or not.
rm -rf run
printf 'exclude\ninclude main solve recurse every=2\ninclude tick within=recurse\n' >rules
"$measure" -o run --children follow -f rules ./calls fork 2>err || t_fail "fork: exit status $?"
t_equal 'child and parent' 'main( solve( recurse( recurse( tick))))
main( solve( recurse( tick tick recurse( tick))))' "$(story run)"
cd "$t_build" && t_sound "$work/run"
cd "$work" || exit 1

# Barriers of a team are recorded of all its threads, however short one is.
cat >team.c <<-'EOF'
	int main(void)
	{
		for (int i = 0; i < 100; i++) {
	#pragma omp parallel num_threads(3)
			{
	#pragma omp barrier
	#pragma omp critical
				;
			}
		}
		return 0;
	}
EOF
if [ -e "$t_build/.libs/libmeasure-gomp.so" ] && gcc -g -fopenmp -o team team.c 2>err; then
	rm -rf run
	"$measure" -o run --exclude 'shorter=1s; thread=1; every=2' ./team 2>err || t_fail "team: exit status $?"
	t_equal 'barriers of a team' 300 "$(otf2-print run/traces.otf2 | grep -c '^ENTER .*"!$omp barrier')"
	check team
fi

# Killed at any moment: archive and counts fit what the program did, to the call that it was in.
i=0
while [ $i -lt "${FILTER_KILLS:-4}" ]; do
	rm -rf run
	"$measure" -o run --exclude "shorter=$((i % 3))us; tick every=$((i % 4 + 1))" \
		./calls kill $((i * 7919 % 50000 + 1)) ticks 2>err
	t_equal "killed: exit status" 137 $?
	cd "$t_build" && t_sound "$work/run"
	cd "$work" || exit 1
	lacking=$(($(od -A n -t d8 -N 8 ticks) - $(entered run tick) - $(left_out run tick)))
	[ "${lacking#-}" -le 1 ] || t_fail "killed: $lacking calls lack"
	i=$((i + 1))
done
t_end
