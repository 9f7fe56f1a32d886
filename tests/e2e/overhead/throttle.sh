#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: --overhead switches off a tiny function that is called millions of times, says so, counts it, and leaves what is open
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# What is asked for is little, so that a busy machine, on which time goes by without any events, does as well.
percent=0.1
nr=5000000

${CC:-cc} -O1 -g -pthread -finstrument-functions -o throttled "$t_here/throttle.c" || t_skip 'no compiler'

# records DIR: "ENTER|LEAVE FUNCTION NUMBER"
records()
{
	otf2-print "$1/traces.otf2" | awk '$1 == "ENTER" || $1 == "LEAVE" {
			name = $0; sub(/.*Region: "/, "", name); sub(/".*/, "", name); nr[$1 " " name]++ }
		END { for (key in nr) print key, nr[key] }' >"$1.records"
}

# number DIR ENTER|LEAVE FUNCTION
number()
{
	awk -v what="$2" -v name="$3" '$1 == what && $2 == name { nr = $3 } END { print nr + 0 }' "$1.records"
}

# listed DIR FUNCTION: calls of a throttled function, as measure-profile has them
listed()
{
	region=$(otf2-print -G "$1/traces.otf2" | awk -v name="\"$2\"" '$1 == "REGION" && $0 ~ "Name: " name { print $2 }')
	"$t_build/measure-profile" --properties "$1" | awk -v region="$region" '
		$1 ~ /^MEASURE::THROTTLED::/ && $2 == region { print $3 }'
}

# check DIR FUNCTION ENTERS_OF_MAIN: it was switched off, all calls are listed, entered and left; main and work go on
check()
{
	"$MEASURE_CHECK" --quiet "$1" || t_fail "$1: not sound"
	records "$1"
	enters=$(number "$1" ENTER "$2")
	[ "$enters" -gt 0 ] && [ "$enters" -lt $((nr / 4)) ] || t_fail "$1: $enters calls of $2 recorded"
	t_equal "$1: $2, as listed" "$enters" "$(listed "$1" "$2")"
	t_equal "$1: listed besides" 1 "$(otf2-print -A "$1/traces.otf2" | grep -c THROTTLED::)"
	t_equal "$1: calls of main" "$3" "$(number "$1" ENTER main)"
	for name in main "$2" work recurse thread; do
		t_equal "$1: exits of $name" "$(number "$1" ENTER $name)" "$(number "$1" LEAVE $name)"
	done
	grep -q "^Throttling, --overhead=$percent" "$1/summary.txt" || t_fail "$1: $(cat "$1/summary.txt")"
	awk -v name="$2" -v nr="$enters" '/^Throttling/ { on = 1 } /^Records/ { on = 0 }
		on && index($0, "  " name) { gsub(/,/, "", $1); found = $1 } END { exit found != nr }' "$1/summary.txt" ||
		t_fail "$1: $enters calls, and the summary: $(cat "$1/summary.txt")"
	grep -q "^  EXCLUDE $2\$" "$1/suggested.filter" || t_fail "$1: not suggested"
	[ "$(grep -c EXCLUDE "$1/suggested.filter")" = 1 ] || t_fail "$1: $(cat "$1/suggested.filter")"
}

run()
{
	"$measure" --overhead=$percent -o "$@" >out || t_fail "$1: exit status $?"
}

run plain ./throttled $nr
t_equal 'output' $nr "$(cat out)"
check plain tiny 1
t_sound "$work/plain"
t_equal 'calls of work' 1 "$(number plain ENTER work)"
run kept --no-patch ./throttled $nr
check kept tiny 1
! grep -q '^patched' kept/summary.txt || t_fail 'patched in spite of --no-patch'
run threads ./throttled $nr threads
t_equal 'output of threads' $((2 * nr)) "$(cat out)"
check threads tiny 1
run recurse ./throttled $nr recurse
check recurse down 1

# A function with an array of variable length: its calls under way are left where they end.
for i in 1 2 3; do
	run grow$i ./throttled $nr grow
	records grow$i
	enters=$(number grow$i ENTER growing)
	[ "$enters" -gt 0 ] && [ "$enters" -lt $((nr / 4)) ] || t_fail "grow$i: $enters calls of growing recorded"
	t_equal "grow$i: exits of growing" "$enters" "$(number grow$i LEAVE growing)"
	! grep 'inserted' grow$i/summary.txt || t_fail "grow$i: an exit was inserted"
done

# A child has switched off what its parent had; it records the rest.
run fork --children=follow ./throttled $nr fork
check fork tiny 2
t_equal 'calls of the child' 1 "$(number fork ENTER later)"
grep -q 'tiny, in 2 processes' fork/summary.txt || t_fail "fork: $(cat fork/summary.txt)"

# Killed: as above, main is closed for it.
("$measure" --overhead=$percent -o killed ./throttled $nr kill) >out 2>&1
check killed tiny 1
t_sound "$work/killed"

# What is suggested then leaves out the same function from the start, and nothing has to be switched off.
run filtered --filter=plain/suggested.filter ./throttled $nr
records filtered
t_equal 'filtered' 0 "$(number filtered ENTER tiny)"
grep -q 'no function was disabled' filtered/summary.txt || t_fail "filtered: $(cat filtered/summary.txt)"
t_equal 'listed in vain' 0 "$(otf2-print -A filtered/traces.otf2 | grep -c THROTTLED::)"

"$measure" -o unasked ./throttled 1000 >out
! grep -q Throttling unasked/summary.txt || t_fail "unasked: $(cat unasked/summary.txt)"

# By default: the first calls are recorded, and what is written is bounded. `off` records all of them.
unset MEASURE_OVERHEAD
"$measure" -o default ./throttled 20000000 >out
t_equal 'output by default' 20000000 "$(cat out)"
"$MEASURE_CHECK" --quiet default || t_fail 'default: not sound'
records default
enters=$(number default ENTER tiny)
[ "$enters" -gt 10000 ] && [ "$enters" -lt 200000 ] || t_fail "default: $enters calls of tiny recorded"
t_equal 'default: exits of tiny' "$enters" "$(number default LEAVE tiny)"
grep -q '^Throttling, --overhead=20' default/summary.txt || t_fail "default: $(cat default/summary.txt)"
[ "$(du -sk default | cut -f1)" -lt 10240 ] || t_fail "default: $(du -sk default | cut -f1) KiB"
"$measure" --overhead=off -o all ./throttled 1000000 >out
records all
t_equal 'off' 1000000 "$(number all ENTER tiny)"
! grep -q Throttling all/summary.txt || t_fail "off: $(cat all/summary.txt)"
export MEASURE_OVERHEAD=off

for value in 0 100.5 5%%; do
	"$measure" --overhead=$value -o wrong ./throttled 1 >out 2>words
	t_equal "--overhead=$value: exit status" 2 $?
	grep -q "^measure: --overhead: '$value' is neither" words || t_fail "--overhead=$value: $(cat words)"
	[ ! -e wrong ] || t_fail "--overhead=$value: recorded"
done
t_end
