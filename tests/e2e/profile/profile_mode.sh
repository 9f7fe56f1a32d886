#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: what measure folds while a program runs is byte by byte what measure-profile makes of the events; --profile, --keep and a trace agree in all that is not time; nothing is left on the disk meanwhile
. "$(dirname "$0")/../lib.sh"
cc=${CC:-cc}
tests=$t_tests
cd "$work" || exit 1
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false KMP_WARNINGS=false
. "$tests/mpirun.sh"
profile=$t_build/measure-profile
nr_archives=0

# judge NAME: an archive is sound, and nothing but it is there
judge()
{
	t_wait 20 test ! -e "$1/.parts" || t_fail "$1: .parts is left over"
	ls "$1"/traces.otf2 >words 2>&1 || { t_fail "$1: no archive"; return 1; }
	"$MEASURE_CHECK" "$1" >words 2>&1 && grep -q ' 0 errors' words || t_fail "$1: measure-check: $(cat words)"
	# glibc frees memory of a thread behind its end.
	sed -n '/^Losses/,/^$/p' "$1/summary.txt" | grep -vE '^Losses|after the end of their thread$|waiting|waited for the spooler|^  none$|^$' >words
	[ ! -s words ] || [ -n "${may_lose:-}" ] || t_fail "$1: $(cat words)"
	! find "$1" -name '*.fold' -o -name '*.new' | grep . || t_fail "$1: states of folds are left over"
}

# by_events ARCHIVE: its profile as of events alone, in the file json.events; json.folded: as it is
by_events()
{
	rm -rf events one_name
	cp -r "$1" events
	rm events/traces/*.prof || t_fail "$1: no profiles"
	for how in folded events; do
		[ $how = events ] && from=events || from=$1
		ln -sfn "$from" one_name
		"$profile" --format json one_name >json.$how 2>words || t_fail "$1, $how: $(cat words)"
	done
}

# folded NAME: all events were kept, and folded, too
folded()
{
	judge "$1" || return
	by_events "$1"
	cmp json.folded json.events || t_fail "$1: $(diff json.folded json.events | cut -c 1-500 | head -n 6)"
	echo "$1: $(tr -dc '{' <json.folded | wc -c) rows, $(sed -n '1s/.*"events": \([0-9]*\).*/\1/p' json.folded) events"
	nr_archives=$((nr_archives + 1))
}

# kept NAME [OPTION]... -- COMMAND...: with all events, and their profile
kept()
{
	t_record "$1" --keep=4G "${@:2}"
	folded "$1"
}

# alike NAME [--places] [OPTION]... -- COMMAND...: a trace, a profile, and a profile with the last events agree
alike()
{
	name=$1 places=
	shift
	[ "$1" != --places ] || { places=$1; shift; }
	for how in --keep=all --profile --keep=1M; do
		t_record "$name$how" $how "$@"
		judge "$name$how" || return
		"$profile" --format json "$name$how" >"$name$how.json" 2>words || t_fail "$name$how: $(cat words)"
		[ ! -s words ] || t_fail "$name$how: $(cat words)"
	done
	"$python" "$t_here/same_counts.py" $places "$name--keep=all.json" "$name--profile.json" "$name--keep=1M.json" >words 2>&1 ||
		t_fail "$name: $(cut -c 1-300 words | head -n 12)"
	# There was something to drop.
	[ "$(cat "$name--keep=1M"/traces/*.evt | wc -c)" -lt $(($(cat "$name--keep=all"/traces/*.evt | wc -c) * 3 / 4)) ] ||
		t_fail "$name: all events were kept"
	[ "$(cat "$name--profile"/traces/* | wc -c)" -lt 500000 ] || t_fail "$name: a large profile: $(ls -l "$name--profile/traces")"
	echo "$name: $(cat words); $(du -sb "$name--keep=all" "$name--profile" "$name--keep=1M" | tr '\n\t' '  ')"
	nr_archives=$((nr_archives + 1))
}

for python in /usr/bin/python3 python3; do
	"$python" -c 'import json' 2>words && break
	python=
done
$cc -std=gnu11 -O1 -g -pthread -finstrument-functions -o calls.x "$t_here/calls.c" || t_skip 'no compiler'
kept calls -- ./calls.x
may_lose=yes kept killed -- ./calls.x killed
printf 'SCOREP_REGION_NAMES_BEGIN\n EXCLUDE leaf\nSCOREP_REGION_NAMES_END\n' >rules
kept filtered --filter rules -- ./calls.x
kept counters -m rusage:ru_minflt,rusage:ru_nvcsw -- ./calls.x
kept process_counters -m rusage:ru_minflt,proc:VmRSS --metric-interval 5 -- ./calls.x busy
kept allocations -a +memory -- ./calls.x
kept sampled --sample 997 -- ./calls.x busy
MEASURE_OVERHEAD='' may_lose=yes kept throttled --overhead=0.1 -- ./calls.x throttled

$cc -std=gnu11 -O1 -g -pthread -finstrument-functions -I "$t_source/lib/api" -o mixture.x "$t_here/mixture.c" -ldl
kept mixture --chunk 256K --buffer 2M -a +posixio,+memory -m rusage:ru_minflt -- ./mixture.x 3000 "$work"
kept children --children=follow --chunk 256K -a +posixio -- ./mixture.x 1000 "$work" children
$cc -std=gnu11 -O1 -I "$tests/adapter/pthread" -I "$tests" -pthread -o locks.x "$tests/adapter/pthread/locks.c" && kept locks --pthread-groups=all -- ./locks.x
$cc -std=gnu11 -O1 -o files.x "$tests/e2e/io/bytes_by_file.c" && kept files -a +posixio -- ./files.x "$work"
$cc -std=gnu11 -O1 -g -I "$t_source/lib/api" -o annotated "$tests/e2e/user/annotated.c" -lpthread -ldl -lm
for mode in unbalanced switched threads; do
	may_lose=yes kept $mode -- ./annotated $mode
done
$cc -std=gnu11 -O1 -g -I "$t_source/lib/api" -o iterations.x "$t_here/iterations.c" -ldl && kept iterations -- ./iterations.x
if $cc -O1 -g -fopenmp -finstrument-functions -o tasks.x "$t_here/tasks.c" 2>words; then
	kept tasks -- ./tasks.x
fi
clang=$(sed -n 's/^CLANG = //p' "$t_build/Makefile")
if ${clang:-clang} -O1 -g -fopenmp -finstrument-functions -o tasks.clang "$t_here/tasks.c" 2>words; then
	kept clang -- ./tasks.clang
fi
has_mpi=
mpicc -std=gnu11 -O1 -g -fopenmp -finstrument-functions -o mixture_mpi.x "$t_here/mixture_mpi.c" 2>words && mpirun -n 1 true 2>words && has_mpi=yes
if [ -n "$has_mpi" ]; then
	launcher='mpirun -n 3' kept hybrid --chunk 256K -- ./mixture_mpi.x 1000
fi
if [ -n "$python" ]; then
	little='--chunk 256K --buffer 2M'
	alike calls $little -- ./calls.x throttled
	alike mixture --places --chunk 256K --buffer 64M -a +posixio,+memory -- ./mixture.x 10000 "$work"
	alike children $little --children=follow -a +posixio -- ./mixture.x 3000 "$work" children
	if [ -n "$has_mpi" ]; then
		launcher='mpirun -n 2' alike hybrid $little -- ./mixture_mpi.x 5000
	fi
fi

# --- disk: nothing but states of folds, and chunks that are not full ----------------------------
# disk NAME MOST COMMAND...: the most that the run directory ever was, in KiB
disk()
{
	(timeout 100 "$measure" $3 -o "$1" "${@:4}") >words 2>&1 &
	job=$! most=0
	while kill -0 $job 2>/dev/null; do
		now=$(du -sk "$1" 2>/dev/null | cut -f 1)
		[ "${now:-0}" -le $most ] || most=$now
		sleep 0.02
	done
	wait $job || t_fail "$1: status $?: $(cat words)"
	judge "$1"
	events=$("$profile" --format json "$1" | sed -n '1s/.*"events": \([0-9]*\).*/\1/p')
	echo "$1: $events events, at most $most KiB, $(du -sk "$1" | cut -f 1) KiB in the end"
	[ $most -lt "$2" ] || t_fail "$1: $most KiB"
	[ "$events" -gt 10000000 ] || t_fail "$1: only $events events"
}
# 120 MB of events at least.
disk disk 1024 --profile ./mixture.x 1 "$work" storm 2
disk disk_of_threads $((1024 + 64 * 300)) '--profile --buffer 32M' ./mixture.x 1 "$work" storm 64
disk disk_of_last $((4096 + 8192 + 6 * 256)) '--keep=4M --buffer 8M' ./mixture.x 1 "$work" storm 2
[ "$(cat disk_of_last/traces/*.evt | wc -c)" -lt $((4194304 + 6 * 262144)) ] || t_fail "too much is kept: $(ls -l disk_of_last/traces)"
[ "$(cat disk_of_last/traces/*.evt | wc -c)" -gt 4000000 ] || t_fail "too little is kept: $(ls -l disk_of_last/traces)"

# --- a test that can fail ---------------------------------------------------------------------
by_events mixture
mv events/traces/0.evt words
cp calls/traces/0.evt events/traces/0.evt
"$profile" --format json events >json.events 2>words
! cmp -s json.folded json.events || t_fail 'other events have the same profile'

# Programs of other tests, where they are built. PROFILE_ALL=yes: all of them.
few='openmp_tasks.omp nested_regions.omp detached_tasks.llvm intercommunicators.mpi rma_lock.mpi mpi_files.mpi'
for program in "$t_build"/tests/adapter/*/*.omp "$t_build"/tests/adapter/*/*.llvm "$t_build"/tests/adapter/*/*/*.mpi; do
	name=${program##*/}
	case " ${PROFILE_ALL:+$name} $(echo $few) " in
	*" $name "*) ;;
	*) continue ;;
	esac
	[ -x "$program" ] || continue
	launcher=
	case $name in
	*.mpi) [ -n "$has_mpi" ] || continue; launcher='mpirun -n 4' ;;
	esac
	(timeout 100 $launcher "$measure" --keep=4G -o "$name" "$program") >words 2>&1
	# They are judged elsewhere; some start other programs, or none on a busy machine.
	if t_wait 5 ls "$name"/traces.otf2; then
		may_lose=yes folded "$name"
	else
		echo "not compared: $name leaves no archive: $(tail -n 1 words)"
	fi
done
echo "$nr_archives archives"
[ $nr_archives -ge 15 ] || t_fail "only $nr_archives archives"
t_end
