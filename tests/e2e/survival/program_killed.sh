#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: kill -9 of the program, of measure or of the process group leaves an archive, by itself or after repair
. "$(dirname "$0")/../lib.sh"

# A chunk of events at least.
has_spooled()
{
	[ -n "$(find "$work/$1/.parts" -name '*.evt' -size +300k)" ]
}

# start NAME [OPTION]...: a long run in a process group of its own; $wrapper and $program are its processes
start()
{
	setsid "$measure" "${@:2}" -o "$work/$1" "$behave" long >"$work/$1.out" 2>"$work/$1.err" &
	wrapper=$!
	t_wait 30 grep -q ready "$work/$1.out" || { t_fail "$1: does not start"; t_end; }
	program=$(pgrep -P "$wrapper" -x behave)
	guard=$(t_guard "$wrapper")
	keeper=$(t_keeper "$wrapper")
	t_wait 30 has_spooled "$1" || t_fail "$1: nothing is spooled"
}

# Events of an archive, also one that the test waits for.
events()
{
	otf2-print "$1/traces.otf2" 2>/dev/null | grep -c -E '^(ENTER|LEAVE) '
}

# Time on the processor, in clock ticks
processor_time()
{
	awk '{ print $14 + $15 }' "/proc/$program/stat"
}

# goes_on NAME: the program works
goes_on()
{
	busy=$(processor_time)
	t_wait 30 eval '[ "$(processor_time)" -gt $busy ]' || t_fail "$1: the program stands still"
}

has_archive()
{
	[ -f "$1/traces.otf2" ] && [ ! -e "$1/.parts" ]
}

start program
kill -9 "$program"
wait "$wrapper" 2>/dev/null
t_equal 'program: status' 137 $?
t_equal 'program: stderr' '' "$(cat "$work/program.err")"
t_wait 30 has_archive "$work/program"
t_sound "$work/program"
[ "$(events "$work/program")" -gt 1000 ] || t_fail 'program: few events'

start wrapper
kill -9 "$wrapper"
wait "$wrapper" 2>/dev/null
kill -0 "$program" || t_fail 'wrapper: the program died with it'
goes_on wrapper
kill -TERM "$program"
t_wait 30 has_archive "$work/wrapper"
t_sound "$work/wrapper"
[ "$(events "$work/wrapper")" -gt 1000 ] || t_fail 'wrapper: few events'

start group
kill -9 -- "-$wrapper"
wait "$wrapper" 2>/dev/null
t_wait 30 has_archive "$work/group"
t_sound "$work/group"
[ "$(events "$work/group")" -gt 1000 ] || t_fail 'group: few events'

# The keeper too, as a batch system does: what was spooled is kept by measure-repair.
start all
kill -9 $guard "$wrapper" $keeper "$program"
wait "$wrapper" 2>/dev/null
t_wait 20 t_gone "$keeper" "$program"
[ -d "$work/all/.parts" ] || t_fail 'all: nothing is left'
"$t_build/measure-repair" "$work/all" >"$work/all.out" 2>&1
t_equal 'all: measure-repair says that something is lost' 1 $?
t_sound "$work/all"
[ "$(events "$work/all")" -gt 1000 ] || t_fail 'all: few events'

# Of a job, what its processes agreed by goes with it; a copy leaves it alone.
export SLURM_JOB_ID=4712 SLURM_STEP_ID=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2
start job
unset SLURM_JOB_ID SLURM_STEP_ID SLURM_PROCID SLURM_STEP_NUM_TASKS
kill -9 $guard "$wrapper" $keeper "$program"
wait "$wrapper" 2>/dev/null
t_wait 20 t_gone "$keeper" "$program"
mkdir "$work/copy" && cp -r "$work/job/." "$work/copy"
"$t_build/measure-repair" "$work/copy" >"$work/copy.out" 2>&1
t_equal 'job: the note, after the repair of a copy' 1 "$(find "$work" -maxdepth 1 -name '.measure-*' | wc -l)"
"$t_build/measure-repair" "$work/job" >"$work/job.out" 2>&1
t_equal 'job: the note, after the repair' 0 "$(find "$work" -maxdepth 1 -name '.measure-*' | wc -l)"
t_sound "$work/job"

# Measure and the keeper: the program goes on, also where it would have to wait for memory.
start keeper -b 1M
kill -9 $guard "$wrapper" "$keeper"
wait "$wrapper" 2>/dev/null
sleep 0.5 # time enough to fill 1 MiB of memory
kill -0 "$program" || t_fail 'keeper: the program died with it'
goes_on keeper
kill -TERM "$program"
t_end
