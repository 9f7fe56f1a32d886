#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: archives that generate writes are sound whatever the program does; the same options
# give the same archive; wrong clocks and damage are seen by measure-check.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "failed: $*"
	exit 1
}

# generate NAME ARGUMENT...: into $work/NAME
generate()
{
	name=$1
	shift
	tests/sync/generate "$@" "$work/$name" || fail "generate $*"
}

# check STATUS WORD NAME: what measure-check says of $work/NAME
check()
{
	./measure-check "$work/$3" >"$work/out"
	[ $? = "$1" ] && grep -q -- "$2" "$work/out" || fail "$3: $(cat "$work/out")"
}

# All steps in one archive, threads of the other paradigm in a second one.
generate mixed --program mixed --ranks 5 --threads 4 --iterations 60
generate threads --program pthread --ranks 2 --threads 3
"$here/../soundness.sh" "$work/mixed" "$work/threads" || fail "not sound"

# Each step, and what it must record.
steps=$(tests/sync/generate --help | sed -n '/^Steps/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ "$(echo "$steps" | wc -l)" -ge 15 ] || fail "few steps: $steps"
for step in $steps; do
	[ "$step" != unmatched ] || continue
	generate "$step" --program "$step" --ranks 4 --threads 4 --seed 7
	check 0 'sound (' "$step"
done
check 0 'thread join' pthread
generate unmatched --program unmatched
check 1 'message.unmatched' unmatched

# Few and many, empty ones.
generate one --ranks 1 --program mixed
check 0 '1 process, 1 location,' one
generate many --ranks 100 --empty 3 --iterations 2
check 0 '100 processes, 103 locations' many
generate events --events 20000 --local 80
check 0 ' 20[0-9][0-9][0-9] events' events

# The same again; another seed is another archive.
clocks=offset=500,drift=50,walk=1,sine=1,slew=0.01,step=50,every=0.001,socket=300,tick=16
for run in 1 2; do
	generate "same$run" --program mixed --threads 2 --clock $clocks --samples periodic \
		--sample-every 1 --truth "$work/truth$run"
done
diff -r -x traces.otf2 "$work/same1" "$work/same2" && diff -r "$work/truth1" "$work/truth2" ||
	fail 'the same seed, another archive'
generate other --program mixed --threads 2 --clock $clocks --seed 2
! diff -q "$work/same1/traces/0.evt" "$work/other/traces/0.evt" >"$work/out" ||
	fail 'another seed, the same archive'

# Wrong clocks; measured offsets help.
generate wrong --clock offset=1000
check 1 'clock.condition' wrong
generate measured --clock offset=1000 --samples ends --rtt 2000
check 0 'sound (' measured

# Damage.
generate missing --missing 1
check 1 'location.damaged' missing
generate truncated --truncated 1
check 1 'location.damaged' truncated

# What cannot be.
for wrong in '--program nothing' '--program hybrid' '--ranks 0' '--ranks 3 --nodes 2' '--clock x=1' \
	'--clock offset=x' '--samples some' '--local 100' '--none 1' '--ranks x'; do
	# shellcheck disable=SC2086 # words on purpose
	tests/sync/generate $wrong "$work/wrong-options" 2>"$work/words" && fail "$wrong: taken"
	[ "$(wc -l <"$work/words")" = 1 ] || fail "$wrong: $(cat "$work/words")"
done
[ ! -e "$work/wrong-options" ] || fail 'an archive of wrong options'
echo 'passed'
