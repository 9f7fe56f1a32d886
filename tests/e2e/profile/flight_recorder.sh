#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: kill -9 at random moments of programs under --profile and --keep: no event is missing in the profile, the last ones are in the archive, and it is sound
#
#	KILLS=200 KILL_SEED=1 tests/e2e/profile/flight_recorder.sh
#
# Victims in turn: the program, its keeper (whose guard starts another), and all of them at once, which measure-repair
# follows. The programs count what they did.
. "$(dirname "$0")/../lib.sh"
kills=${KILLS:-9}
seed=${KILL_SEED:-1}
victims=(program keeper all)
modes=('--keep=2M' --profile '--keep=0.3s')
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>words || t_skip 'no compiler'
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>words && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
. "$t_tests/mpirun.sh"
programs=(threads)
mpicc -g -O1 -fopenmp -finstrument-functions -o hybrid "$t_programs/counting_mpi_openmp.c" 2>words &&
	mpirun -n 1 true 2>words && programs+=(hybrid)
export OMP_WAIT_POLICY=passive

# members NAME: processes of ours by their names, as process ids
members()
{
	for pid in $(pgrep -f "$work/"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$1" ] || echo "$pid"
	done
}

# Both threads of each process count. A busy machine may be slow.
has_begun()
{
	[ -s counts.0 ] && [ "$(od -A n -t u8 -N 16 -w16 counts.0 | awk '{ print ($1 > 20000 && $2 > 20000) }')" = 1 ]
}

start()
{
	rm -rf run counts.* notes out err
	case $1 in
	threads) setsid "$measure" $2 --chunk 256K -b 8M --flush-interval 0.1 -o "$work/run" "$work/faults" long "$work/counts.0" >out 2>err & ;;
	hybrid) setsid mpirun -n 2 "$measure" $2 --chunk 256K -b 8M --flush-interval 0.1 -o "$work/run" "$work/hybrid" 100000 "$work/counts" >out 2>err & ;;
	esac
	launcher=$!
	t_wait 20 has_begun || t_fail "$number: does not start: $(cat err)"
}

the_programs()
{
	members faults
	members hybrid
}

is_over()
{
	[ -z "$(pgrep -f "$work/")" ]
}

# strike VICTIM
strike()
{
	case $1 in
	program) kill -9 $(the_programs | head -n 1) ;;
	keeper)
		target=$(members measure-keeper | head -n 1)
		kill -9 $target
		t_wait 20 grep -q 'died.*(1 of 3)' err || t_fail "$number: nobody takes the place of the keeper: $(cat err)"
		sleep 0.3
		kill -TERM $(the_programs)
		;;
	all) kill -9 $(members measure) $(members measure-guard) $(members measure-keeper) $(the_programs) ;;
	esac 2>words
}

# judge PROGRAM MODE VICTIM
judge()
{
	what="$number: $1 $2, $3 killed after $moment ms"
	if [ "$3" = all ]; then
		[ -d run/.parts ] || t_fail "$what: no .parts"
		"$t_build/measure-repair" -q run >words 2>&1 || [ $? = 1 ] || t_fail "$what: measure-repair: $(cat words)"
	fi
	t_wait 20 test ! -e run/.parts || t_fail "$what: .parts is left over"
	[ -e run/traces.otf2 ] || { t_fail "$what: no archive: $(cat err)"; return; }
	otf2-print --silent -Werror run/traces.otf2 >output 2>words && [ ! -s words ] || t_fail "$what: otf2-print: $(head -n 5 words)"
	"$MEASURE_CHECK" run >words 2>&1 && grep -q ' 0 errors' words || t_fail "$what: measure-check: $(head -n 40 words)"
	"$t_build/measure-profile" --format json run >json 2>words || t_fail "$what: measure-profile: $(cat words)"
	"$python" "$t_here/flight_recorder.py" "$2" "$3" run/traces.otf2 json counts.* >words 2>&1 || t_fail "$what: $(tail -n 5 words)"
	echo "$what: $(tail -n 1 words)"
}

RANDOM=$seed
for ((number = 0; number < kills; number++)); do
	victim=${victims[number % ${#victims[@]}]}
	mode=${modes[number / 3 % ${#modes[@]}]}
	program=${programs[RANDOM % ${#programs[@]}]}
	moment=$((RANDOM % 700))
	start "$program" "$mode"
	sleep "$(printf '0.%03d' $moment)"
	strike "$victim"
	t_wait 30 is_over || {
		kill -9 $(the_programs) $launcher
		t_wait 30 is_over || t_fail "$number: still there: $(pgrep -a -f "$work/")"
	} 2>words
	wait $launcher 2>words
	judge "$program" "$mode" "$victim"
done
t_end
