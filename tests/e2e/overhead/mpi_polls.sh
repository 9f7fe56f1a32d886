#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: unsuccessful polls of MPI that directly follow each other are left out when they cost too much, and counted; all else stays
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
t_need_mpirun
unset MEASURE_OVERHEAD
nr=100000

mpicc -O1 -g -o polled "$t_here/mpi_polls.c" -lpthread || t_skip 'mpicc does not work'

# run DIR OPTIONS OF MEASURE -- ARGUMENTS OF THE PROGRAM
run()
{
	dir=$1
	shift
	mpirun -n 1 "$measure" -o "$dir" "$@" >"$dir.calls" || t_fail "$dir: exit status $?"
}

# counts DIR: "CALL RECORDED LEFT_OUT" for each region, and how often there is each other record
counts()
{
	otf2-print -G "$1/traces.otf2" | awk '$1 == "REGION" { name = $0; sub(/.*Name: "/, "", name)
		sub(/".*/, "", name); print $2, name }' >"$1.names"
	otf2-print -A "$1/traces.otf2" | awk '/^Property name/ { is_count = $3 ~ /^MEASURE::LEFT_OUT::/ }
		/^Property value/ && is_count { print $3, $4 }' >"$1.left_out"
	otf2-print "$1/traces.otf2" | awk -v names="$1.names" -v counts="$1.left_out" '
		BEGIN {
			while (getline <names) name[$1] = $2
			while (getline <counts) left_out[name[$1]] = $2
		}
		$1 == "ENTER" { region = $0; sub(/.*Region: "/, "", region); sub(/".*/, "", region); entered[region]++ }
		$1 == "LEAVE" { left++; next }
		$1 ~ /^(MPI|PROGRAM)_/ { others[$1]++ }
		END {
			for (region in entered) { print region, entered[region], left_out[region] + 0; nr += entered[region] }
			for (record in others) print "record", record, others[record]
			print "open", nr - left
		}' | sort >"$1.counts"
}

# count DIR CALL COLUMN
count()
{
	awk -v call="$2" -v column="$3" '$1 == call { nr = $column } END { print nr + 0 }' "$1.counts"
}

# check DIR: what is recorded and what was left out is what the program has called; nothing else is missing
check()
{
	"$MEASURE_CHECK" --quiet "$1" || t_fail "$1: not sound"
	counts "$1"
	while read -r call calls; do
		t_equal "$1: $call" "$calls" $(($(count "$1" "$call" 2) + $(count "$1" "$call" 3)))
	done <"$1.calls"
	t_equal "$1: regions left open" 0 "$(count "$1" open 2)"
	t_equal "$1: properties" "$(awk '{ nr += $2 } END { print nr + 0 }' "$1.left_out")" "$(otf2-print -A "$1/traces.otf2" |
		awk '/^Property name/ { is_sum = $3 == "MEASURE::CALLS_LEFT_OUT" }
			/^Property value/ && is_sum { nr = $3 } END { print nr + 0 }')"
	grep -q '^excluded' "$1/summary.txt" && t_fail "$1: $(cat "$1/summary.txt")"
}

# without DIR OTHER: DIR has all records of the other but Enters and Leaves of polls
without()
{
	grep '^record\|^MPI_Wait\|^MPI_Barrier\|^MPI_.*recv\|^MPI_Isend' "$1.counts" >one
	grep '^record\|^MPI_Wait\|^MPI_Barrier\|^MPI_.*recv\|^MPI_Isend' "$2.counts" >other
	cmp one other || t_fail "$1: not the records of $2: $(diff one other)"
}

# `off` records all of them.
run all --overhead=off ./polled $nr
check all
t_equal 'all: left out' 0 "$(awk '{ nr += $2 } END { print nr + 0 }' all.left_out)"
! grep -q '^polls' all/summary.txt || t_fail "all: $(cat all/summary.txt)"
grep -q '^  Enter and Leave records of MPI calls make up [0-9]* % of this archive.$' all/summary.txt &&
	grep -q '^  --exclude=MPI_Test' all/summary.txt ||
	t_fail "all: $(cat all/summary.txt)"

# By default: of those in a row the first one and the one that has found something, after some before it was too much.
run default ./polled $nr
t_sound "$work/default"
check default
! grep -q 'Enter and Leave records of MPI calls' default/summary.txt || t_fail "default: $(cat default/summary.txt)"
without default all
for call in MPI_Testall MPI_Testany MPI_Request_get_status MPI_Iprobe MPI_Improbe; do
	t_equal "default: $call recorded" 2 "$(count default $call 2)"
done
[ "$(count default MPI_Test 3)" -gt $((nr / 10)) ] || t_fail "MPI_Test: $(count default MPI_Test 3) left out"
# What is between two polls keeps both.
t_equal 'default: MPI_Testsome' $((1000 + 3)) "$(count default MPI_Testsome 2)"
polls=$(awk '{ nr += $2 } END { print nr }' default.left_out)
awk -v polls="$polls" '/^polls/ { gsub(/,/, "", $2); found = $2 } END { exit found != polls }' default/summary.txt ||
	t_fail "default: $polls, and the summary: $(cat default/summary.txt)"
grep -q '^ *99,999  MPI_Testany, [0-9.]* m*s in total$' default/summary.txt || t_fail "default: $(cat default/summary.txt)"
small=$(du -sk default | cut -f1) large=$(du -sk all | cut -f1)
[ "$small" -lt 2048 ] && [ "$small" -lt $((large / 4)) ] || t_fail "default: $small of $large KiB"
grep -q 'no function was disabled' default/summary.txt || t_fail "default: $(cat default/summary.txt)"

# The last words name them.
MEASURE_QUIET=no mpirun -n 1 "$measure" -o said ./polled $nr >out 2>words || t_fail "said: exit status $?"
grep -q '^measure: [0-9,]* unsuccessful polls not recorded (--overhead=20): see said/summary.txt' words ||
	t_fail "said: $(cat words)"

# Two threads that poll at once; with counters, of which each Enter and Leave has values.
run threads ./polled $nr threads
check threads
[ "$(count threads MPI_Testany 3)" -gt $((nr / 10)) ] || t_fail "threads: $(count threads MPI_Testany 3) left out"
run metrics -m rusage:ru_minflt,sched:processor ./polled $nr
check metrics
[ "$(count metrics MPI_Iprobe 3)" -gt $((nr / 2)) ] || t_fail "metrics: $(count metrics MPI_Iprobe 3) left out"
otf2-print metrics/traces.otf2 | awk '$1 == "METRIC" { values = $0 ~ /ru_minflt/ ? 1 : values }
	$1 == "ENTER" || $1 == "LEAVE" { if (!values) missing++; values = 0 } END { exit missing > 0 }' ||
	t_fail 'metrics: an Enter or Leave has none'

# Killed: what was left out until then is known.
(mpirun -n 1 "$measure" -o killed ./polled $nr kill) >killed.out 2>&1
grep '^MPI_.* [0-9]*$' killed.out >killed.calls || t_fail "killed: $(cat killed.out)"
t_wait 30 test -e killed/traces.otf2
check killed
[ "$(count killed MPI_Iprobe 3)" -gt $nr ] || t_fail "killed: $(count killed MPI_Iprobe 3) left out"

# A filter may leave out all of a call, and what has come is there nevertheless.
run filtered --overhead=off --exclude=MPI_Testany ./polled 100
counts filtered
t_equal 'filtered: MPI_Testany' 0 "$(count filtered MPI_Testany 2)"
grep '^record' all.counts >other
grep '^record' filtered.counts | cmp - other || t_fail "filtered: $(grep '^record' filtered.counts | diff - other)"
t_end
