#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: kill -9 at random moments of a running MPI and OpenMP job leaves an archive with all that was committed
#
#	KILLS=200 KILL_SEED=1 tests/e2e/survival/kill_jobs.sh
#
# Victims in turn: a rank, a measure, a keeper, a guard, mpirun, a process group. The ranks count what they did: no event may be
# missing. One line per kill, a summary at the end. What mpirun does of a hung job is not our affair: it is ended after a while.
. "$(dirname "$0")/../lib.sh"
kills=${KILLS:-12}
seed=${KILL_SEED:-1}
length=700  # of a job, in iterations of 2 ms at least
latest=1000 # the last moment, in ms after its first program has begun
victims=(rank measure keeper guard mpirun group)
command -v mpicc >/dev/null || t_skip 'no mpicc'
cd "$work" || exit 1
mpicc -g -O1 -fopenmp -finstrument-functions -o hybrid "$t_programs/counting_mpi_openmp.c" 2>/dev/null || t_skip 'mpicc does not work'
t_need_mpirun
export MEASURE_CHUNK=256K OMP_WAIT_POLICY=passive

# members NAME: processes of the job by their names, as process ids
members()
{
	for pid in $(pgrep -f "$work/"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$1" ] || echo "$pid"
	done
}

# any WORD...: one of the words, by chance
any()
{
	[ $# -gt 0 ] || return 1
	shift $((RANDOM % $#))
	echo "$1"
}

parent_of()
{
	ps -o ppid= -p "$1" | tr -d ' '
}

group_of()
{
	ps -o pgid= -p "$1" | tr -d ' '
}

# choose VICTIM: what kill takes; fails where there is none now
choose()
{
	case $1 in
	rank) any $(members hybrid) ;;
	measure) any $(members measure) ;;
	keeper) any $(members measure-keeper) ;;
	guard) any $(members measure-guard) ;;
	mpirun) echo "$launcher" ;;
	group)
		pid=$(any "$launcher" $(members hybrid)) || return
		pid=$(group_of "$pid")
		[ "${pid:-0}" -gt 1 ] && echo "-$pid"
		;;
	esac
}

# What the keeper that is now dead had written: "INDEX SIZE" of event files, whole chunks only. The others may have
# finished them in the meantime, which makes them longer, or taken them over, as checked later on.
written()
{
	for file in "$work"/run/.parts/*-"$1"-*/*.evt; do
		[ -f "$file" ] || continue
		size=$(stat -c %s "$file" 2>/dev/null) || continue
		file=${file##*/}
		echo "${file%.evt} $((size / 262144 * 262144))"
	done
}

# Is all that was written in the archive, in the files of one rank?
has_written()
{
	for rank in 0 1; do
		is_whole=yes
		while read -r index size; do
			file=run/traces/$(((index << 32) + rank)).evt
			[ -f $file ] && [ "$(stat -c %s $file)" -ge "$size" ] || is_whole=no
		done <written
		[ $is_whole = no ] || return 0
	done
	return 1
}

# ... or is over already: on a busy machine a look may take longer than the job.
has_begun()
{
	[ -n "$(members hybrid)" ] || ! kill -0 "$launcher"
}

is_over()
{
	[ -z "$(pgrep -f "$work/")" ]
}

# Ends what hangs, the keepers but for one that was stopped excepted.
finish_job()
{
	t_wait 30 eval '[ -z "$(members hybrid)" ]' || {
		echo "hung, and ended: $(members hybrid | wc -l)" >>notes
		kill -TERM $(members hybrid) 2>/dev/null
		t_wait 5 eval '[ -z "$(members hybrid)" ]'
		kill -9 $(members hybrid) 2>/dev/null
	}
	t_wait 5 eval '! kill -0 $launcher 2>/dev/null' || kill -9 "$launcher" 2>/dev/null
	wait "$launcher" 2>/dev/null
	t_wait 30 is_over || t_fail "$number: still there: $(pgrep -a -f "$work/")"
}

# run_job VICTIM MILLISECONDS: sets the words about what was done
run_job()
{
	rm -rf run counts.* written notes
	: >written
	setsid mpirun -n 2 "$measure" -q -o "$work/run" "$work/hybrid" $length "$work/counts" >out 2>err &
	launcher=$!
	t_wait 20 has_begun
	sleep "$(printf '0.%03d' $(($2 % 1000)))" # a random moment
	[ "$2" -lt 1000 ] || sleep 1
	killed=late
	target=$(choose "$1") && {
		keeper_part=
		[ "$1" != keeper ] || keeper_part=$(parent_of "$(parent_of "$target")")
		kill -9 -- "$target" 2>/dev/null && killed=killed
		[ -z "$keeper_part" ] || written "$keeper_part" >written
	}
	finish_job
}

# Nothing at all was recorded, as the job had not come so far: that is no archive to count.
was_early()
{
	[ ! -e run/traces.otf2 ] && ! "$t_build/measure-repair" -q run 2>/dev/null &&
		[ -z "$(cat counts.* 2>/dev/null | tr -d '\0')" ]
}

# judge VICTIM
judge()
{
	by=itself
	if [ -e run/.parts ] || [ ! -e run/traces.otf2 ]; then
		by=repair
		[ "$1" = keeper ] && [ $killed = killed ] || t_fail "$number: $1: not assembled: $(find run | head -n 20) $(cat err)"
		"$t_build/measure-repair" -q run || [ $? = 1 ] || t_fail "$number: $1: measure-repair fails"
	fi
	otf2-print --silent -Werror run/traces.otf2 >/dev/null 2>words && [ ! -s words ] ||
		t_fail "$number: $1: otf2-print: $(cat words)"
	"$MEASURE_CHECK" run >words 2>&1 || t_fail "$number: $1: measure-check: $(cat words)"
	"$t_build/tests/e2e/programs/compare_counts" run/traces.otf2 step counts.0 counts.1 >words 2>&1 || t_fail "$number: $(cat words)"
	lost=$(sed 's/.*lost //' words)
	[ "$lost" = 0 ] || t_fail "$number: $1: $(cat words)"
	has_written || t_fail "$number: $1: the archive lacks what was written: $(cat written)"
	echo "$1 $killed $by ${lost:-?}" >>results
	echo "$number: $1 after $moment ms, $killed, archive by $by, $(cat words) $(cat notes 2>/dev/null)"
}

RANDOM=$seed
number=0
while [ $number -lt "$kills" ]; do
	victim=${victims[number % ${#victims[@]}]}
	moment=$((RANDOM % latest))
	run_job "$victim" $moment
	was_early && continue
	[ $killed = killed ] || { # it was over already: another moment, and a longer job where looking for victims takes so long
		length=$((length < 10000 ? 2 * length : length))
		continue
	}
	number=$((number + 1))
	judge "$victim"
done
awk '{ nr[$1]++; killed[$1] += $2 == "killed"; repaired[$1] += $3 == "repair"; lost[$1] += $4; if ($4 + 0 > most[$1] + 0) most[$1] = $4 }
	END { for (v in nr) printf "%-8s %d archives, %d jobs killed, %d repaired, events lost: %d in all, %d at most\n",
		v, nr[v], killed[v], repaired[v], lost[v], most[v] }' results
t_end
