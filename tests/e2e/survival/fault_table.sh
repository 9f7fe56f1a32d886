#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: however a program, its keeper or its launcher ends, or what it runs out of, the archive holds what it
# did, and the table in doc/survival.md says just that
#
#	tests/e2e/survival/fault_table.sh [--table]
#
# The programs count in files what they have done; tests/e2e/programs/compare_counts compares. Each fault gives a row of the
# table, which must be in the document, as it is; --table prints them for it.
. "$(dirname "$0")/../lib.sh"
repair=$t_build/measure-repair
committed=$t_build/tests/e2e/programs/compare_counts
document=$t_source/doc/survival.md
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'
${CC:-cc} -g -O1 -finstrument-functions -o relatives "$t_programs/counting_relatives.c" 2>/dev/null || t_skip 'no compiler'
${CC:-cc} -O1 -shared -fPIC -o disk.so "$t_programs/faulty_disk.c" -ldl || t_skip 'no compiler'

# property NAME: its values, by process
property()
{
	otf2-print -G run/traces.otf2 |
		sed -n "s/^LOCATION_GROUP_PROPERTY .*Name: \"MEASURE::$1\" <.*Value: \"\([^\"]*\)\".*/\1/p" |
		sort -u | paste -sd, | sed 's/,/, /g'
}

# row FAULT BY LOSS: what was measured, as a row of the table; what others or chance decide is not measured
row()
{
	if [ -n "$exits" ]; then
		echo "| $1 | $2 | $3 | $exits |" >>rows
	else
		echo "| $1 | $2 | $3 | $(property EXIT) | $(property CUT) |" | sed 's/|  |/| |/g' >>rows
	fi
}

# judge FAULT BY LOSS [COUNTS...]: the archive `run` is there, by itself (keeper) or by measure-repair; LOSS is what is
# said of losses where there are any, "none" where there must not be.
judge()
{
	if [ "$2" = measure-repair ]; then
		t_wait 3 test ! -e run/traces.otf2 # for the keepers of the others
		[ ! -f run/traces.otf2 ] || t_fail "$1: the archive is there without repair"
		"$repair" -q run >repair.out 2>&1
		t_equal "$1: measure-repair" 1 $?
	elif [ "$2" != keeper ] && [ -e run/.parts ]; then
		"$repair" -q run >repair.out 2>&1
		t_equal "$1: measure-repair" 1 $?
	fi
	t_wait 20 test -f run/traces.otf2
	t_wait 20 test ! -e run/.parts
	otf2-print --silent -Werror run/traces.otf2 >/dev/null 2>words && [ ! -s words ] && "$MEASURE_CHECK" run >words 2>&1 ||
		t_fail "$1: not sound: $(cat words)"
	"$committed" run/traces.otf2 step "${@:4}" >lost.out 2>lost.err || t_fail "$1: $(cat lost.err)"
	lost=$(sed 's/.*lost //' lost.out)
	counted=$(sed 's/counted \([0-9]*\).*/\1/' lost.out)
	[ "${counted:-0}" -gt 0 ] || t_fail "$1: nothing was counted"
	[ "${lost:-1}" = 0 ] || [ "$3" != none ] || t_fail "$1: $(cat lost.out)"
	[ "$lost" = 0 ] && row "$1" "$2" none || row "$1" "$2" "$3"
	cut=$(property CUT | sed 's/,.*//')
	[ -z "$cut" ] || grep -q "^  cut     $cut: " words || t_fail "$1: measure-check does not tell: $(cat words)"
	grep -q 'How it ended' run/summary.txt || t_fail "$1: the summary does not say how it ended"
	echo "$1: $(cat lost.out)"
}

# own FAULT STATUS ARGUMENT [LIMIT]: the program does it to itself, or a limit of the shell does
own()
{
	rm -rf run counts
	(
		[ -z "${4-}" ] || eval "ulimit $4" || exit 96
		exec "$measure" -o run ./faults "$3" counts
	) >out 2>err
	t_equal "$1: status" "$2" $?
	t_equal "$1: stderr" '' "$(cat err)"
	judge "$1" keeper none counts
}

# own_plain WHY FAULT...: as own(), but not with AddressSanitizer
own_plain()
{
	why=$1
	shift
	if t_left_out_under_asan "$1" "$why"; then
		left_out="$left_out $3"
	else
		own "$@"
	fi
}

# own_space FAULT...: with next to no address space
own_space()
{
	own_plain 'it has terabytes of address space for itself' "$@"
}

# unrecorded FAULT LIMIT WORDS: the program runs, and measure says why there is no recording
unrecorded()
{
	rm -rf run counts
	(eval "ulimit $2"; exec "$measure" -o run ./faults exit counts) >out 2>err
	t_equal "$1: status" 3 $?
	grep -q "$3" err || t_fail "$1: stderr: '$(cat err)'"
	[ ! -e run ] || t_fail "$1: left over: $(find run)"
	echo "| $1 | nobody | all | | |" >>rows
}

# told EXIT AND CUT: these are the row's where the kernel need not know how a process ended
told()
{
	t_kernel_tells || exits=$1
}

# start [VARIABLE=VALUE]...: a program of two threads that goes on; $wrapper, $program, $keeper
start()
{
	rm -rf run counts out
	setsid env "$@" "$measure" --chunk 256K -o run ./faults long counts >out 2>err &
	wrapper=$!
	t_wait 20 grep -q ready out || { t_fail "does not start: $(cat err)"; t_end; }
	program=$(pgrep -P "$wrapper" -x faults)
	keeper=$(t_keeper "$wrapper")
}

# sleeper [OPTION]...: as start, with a program that does its work and sleeps
sleeper()
{
	rm -rf run counts out
	setsid "$measure" "$@" -o run ./faults sleep counts >out 2>err &
	wrapper=$!
	t_wait 20 grep -q ready out || { t_fail "does not start: $(cat err)"; t_end; }
	program=$(pgrep -P "$wrapper" -x faults)
	keeper=$(t_keeper "$wrapper")
}

ended()
{
	wait "$wrapper" 2>/dev/null
}

program_ends_itself()
{
	own '`exit()`' 3 exit
	own '`exit()` in a thread' 5 thread-exit
	own '`_exit()`' 3 _exit
	own '`quick_exit()`' 3 quick_exit
	own '`abort()`' 134 abort
	own 'SIGSEGV' 139 segv
	own 'SIGSEGV in a thread' 139 thread-segv
	own 'SIGTERM' 143 signal-15
	own 'SIGINT' 130 signal-2
	own 'SIGXCPU: `ulimit -S -t`' 152 xcpu
}

limits()
{
	own 'all descriptors used up' 3 descriptors
	own 'all descriptors closed, and their numbers reused' 3 closed
	own_plain 'it asks for memory at the end' 'a seccomp filter refuses nearly all system calls' 3 refused
	own_space 'no address space left' 3 address-space
	own 'the program sets RLIMIT_FSIZE, MEMLOCK, NOFILE, NPROC and CORE to minimal values' 3 limits
	own '`ulimit -n 16`' 3 exit '-n 16'
	own_space '`ulimit -v 100000`' 3 exit '-v 100000'
	own '`ulimit -s 128`' 3 exit '-s 128'
	own '`ulimit -l 0`' 3 exit '-l 0'
	own '`ulimit -c 0`, and SIGSEGV' 139 segv '-c 0'
	own '`ulimit -S -f 100`' 3 exit '-S -f 100'
	unrecorded '`ulimit -f 2000`' '-f 2000' 'cannot allocate event memory.*ulimit -f'
}

program_is_killed()
{
	start
	kill -TERM "$wrapper"
	ended
	judge 'SIGTERM to `measure`' keeper none counts
	property CUT_REASON | grep -q "^sent by process $$ " || t_fail "the sender is not known: $(property CUT_REASON)"
	start
	kill -9 "$program"
	ended
	judge '`kill -9` of the program' keeper none counts
	start
	kill -9 "$wrapper"
	ended
	kill -TERM "$program"
	told 'signal 15 | signal'
	judge '`kill -9` of `measure`, SIGTERM to the program later' keeper none counts
	start
	kill -9 -- "-$wrapper"
	ended
	told 'signal 9 | signal'
	judge '`kill -9` of the process group' keeper none counts
	exits=
}

keeper_is_killed()
{
	start
	kill -9 "$keeper"
	t_wait 20 grep -q 'started another' err
	kill -TERM "$program"
	ended
	judge '`kill -9` of the keeper' keeper none counts
	start
	guard=$(t_guard "$wrapper")
	kill -STOP "$guard"
	kill -9 "$keeper"
	kill -TERM "$program"
	t_wait 20 t_gone "$program"
	kill -CONT "$guard"
	ended
	judge '`kill -9` of the keeper, SIGSTOP of its guard until the program has ended' keeper none counts
	start
	kill -9 "$wrapper" "$keeper"
	t_wait 20 t_gone "$keeper"
	kill -TERM "$program"
	ended
	told 'signal 15 | signal'
	judge '`kill -9` of `measure`, then of the keeper' keeper none counts
	exits=
	start
	kill -9 "$(t_guard "$wrapper")" "$keeper"
	t_wait 20 t_gone "$keeper"
	kill -TERM "$program"
	ended
	grep -q 'run measure-repair' err || t_fail "guard: stderr: '$(cat err)'"
	judge '`kill -9` of the guard, then of the keeper' measure-repair 'from a second before then on' counts
	start
	kill -9 "$(t_guard "$wrapper")" "$wrapper" "$keeper" "$program"
	ended
	t_wait 20 t_gone "$keeper" "$program"
	judge '`kill -9` of everything (a batch system, the kernel)' measure-repair 'the last second at most' counts
	sleeper
	sleep 1.5 # more than the second after which it is flushed
	kill -9 "$(t_guard "$wrapper")" "$wrapper" "$keeper" "$program"
	ended
	t_wait 20 t_gone "$keeper" "$program"
	judge '`kill -9` of everything, of a program that sleeps for more than a second' measure-repair none counts
	sleeper --spool=end
	kill -TERM "$keeper"
	sleep 0.5
	kill -9 "$(t_guard "$wrapper")" "$wrapper" "$keeper" "$program"
	ended
	t_wait 20 t_gone "$keeper" "$program"
	judge 'SIGTERM to a keeper (`--spool=end`), then `kill -9` of everything, of a program that sleeps' measure-repair none counts
}

# At each stage of the program all keepers that there are then.
family()
{
	rm -rf run counts.*
	setsid "$measure" --chunk 256K --children=follow -o run ./relatives 0 counts >out 2>err &
	wrapper=$!
	for stage in 1 2 3; do
		t_wait 20 test -s counts.$stage
		kill -9 $(pgrep -s "$(t_guard "$wrapper")" -x measure-keeper)
		t_wait 20 eval "[ \$(grep -c 'keeper of process .* started another' err) -ge $stage ]" ||
			t_fail "relatives: stderr: '$(cat err)'"
		: >counts.$stage.over
	done
	ended
	judge '`kill -9` of the keepers of a program, its forked child, the program that this child executes, and its spawned child' \
		keeper none counts.0 counts.1 counts.2 counts.3
	rm -rf run counts.*
	setsid "$measure" --chunk 256K --children=follow -o run sh -c './faults long counts.1; exit 3' >out 2>err &
	wrapper=$!
	t_wait 20 grep -q ready out
	pkill -KILL -s "$wrapper" -x faults
	ended
	told 'exit status 3, signal 9 | signal'
	judge '`kill -9` of a program that a followed shell has started' keeper none counts.0 counts.1
	exits=
}

disk()
{
	start LD_PRELOAD="$work/disk.so" DISK_STANDS="$work/standing"
	: >standing
	sleep 2 # so long it hangs while the program runs, and a second after its end
	kill -TERM "$program"
	sleep 1
	rm standing
	ended
	judge 'the disk hangs for a few seconds' keeper none counts
	start
	t_wait 20 rm -r run # in which the keeper may just make a file
	kill -TERM "$program"
	ended
	t_equal 'removed: status' 143 $?
	grep -q 'run: removed while the program was running' err || t_fail "removed: stderr: '$(cat err)'"
	[ ! -e run ] || t_fail "removed: left over: $(find run)"
	echo '| the run directory is removed | nobody | all | | |' >>rows
	mkdir -p small
	mount -t tmpfs -o size=1m none small 2>/dev/null || {
		left_out="$left_out full-disk"
		return
	}
	trap 'umount "$work/small"; t_clear' EXIT
	rm -rf counts
	"$measure" -o small/run ./faults plain counts >out 2>err
	t_equal 'disk full: status' 3 $?
	grep -q 'No space left' err || t_fail "disk full: stderr: '$(cat err)'"
	mount -o remount,size=100m small
	rm -rf run
	cp -r small/run run
	# Whether there is room for the end of the part is chance.
	exits='exit status 3 or unknown | disk'
	judge 'the disk is full' 'keeper or measure-repair' 'from then on' counts
	t_equal 'disk full: cut' disk "$(property CUT)"
	exits=
}

# job FAULT ARGUMENT STATUS
job()
{
	rm -rf run counts.*
	timeout -k 5 60 mpirun -n 2 "$measure" -o run ./hybrid 100 counts "$2" >out 2>err
	t_equal "$1: status" "$3" $?
	judge "$1" keeper none counts.0 counts.1
}

mpi()
{
	command -v mpicc >/dev/null && command -v mpirun >/dev/null &&
		mpicc -g -O1 -fopenmp -finstrument-functions -o hybrid "$t_programs/counting_mpi_openmp.c" 2>/dev/null || {
		left_out="$left_out MPI"
		return
	}
	. "$t_tests/mpirun.sh"
	case $(mpirun --version 2>&1) in # others kill the other ranks at once, and have another status then
	*Open*MPI* | *OpenRTE*) ;;
	*)
		left_out="$left_out Open MPI"
		return
		;;
	esac
	job '`MPI_Abort` in a rank' abort 6
	job 'a rank is killed' kill 137
	job '`exit()` in a rank without `MPI_Finalize`' exit 4
	rm -rf run counts.*
	timeout -k 5 60 "$measure" -o run mpirun -n 2 ./hybrid 100 counts kill >out 2>err
	t_equal 'measure mpirun: status' 137 $?
	told 'signal 15, signal 9 | signal'
	judge 'a rank is killed, with `measure mpirun`' keeper none counts.0 counts.1
	exits=
	rm -rf run counts.*
	setsid mpirun -n 2 "$measure" -o run "$work/hybrid" 2000 counts >out 2>err &
	wrapper=$!
	t_wait 20 test -s counts.1
	sleep 0.3
	kill -9 "$wrapper"
	ended
	t_wait 20 test -f run/traces.otf2 || pkill -TERM -f "^$work/hybrid 2000 counts"
	exits="as Open MPI has it |"
	judge '`kill -9` of `mpirun`' keeper none counts.0 counts.1
}

left_out= exits=
program_ends_itself
limits
program_is_killed
keeper_is_killed
family
disk
mpi
[ "${1-}" != --table ] || cat rows
sed -n '/^<!-- faults -->/,/^<!-- end of faults -->/p' "$document" | grep '^| ' | tail -n +2 >documented
[ -z "$(sort documented | uniq -d)" ] || t_fail 'doc/survival.md has rows twice'
grep -v -x -F -f documented rows && t_fail 'these rows are not in doc/survival.md'
[ -n "$left_out" ] || {
	grep -v -x -F -f rows documented && t_fail 'these rows of doc/survival.md were not measured'
}
# The words of the property are explained there, too.
sed -n 's/^CUT([A-Z]*, [0-9]*, "\([a-z]*\)".*/\1/p' "$t_source/lib/format/truncations.def" | while read -r word; do
	grep -q "^| \`$word\` |" "$document" || echo "$word"
done >unexplained
[ ! -s unexplained ] || t_fail "doc/survival.md does not explain: $(cat unexplained)"
[ -z "$left_out" ] || echo "left out:$left_out"
t_end
