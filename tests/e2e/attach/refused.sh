#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: processes that cannot be attached to: one line each, exit status 2, nothing is made, and they go on
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
a_compile busy busy.c
a_compile filtered filtered.c

# refused WHAT PID PATTERN OPTION...: by `$a_as measure`
a_as=
refused()
{
	a_what=$1 a_pid=$2 a_pattern=$3
	shift 3
	# shellcheck disable=SC2086
	$a_as "$measure" "${a_option:---attach}" "$a_pid" -o refused "$@" >refused.out 2>refused.err
	t_equal "$a_what: exit status" 2 $?
	t_equal "$a_what: lines" 1 "$(t_lines refused.err)"
	# shellcheck disable=SC2254
	case $(cat refused.err) in
	"measure: "$a_pattern) ;;
	*) t_fail "$a_what: $(cat refused.err)" ;;
	esac
	[ ! -e refused ] || { t_fail "$a_what: there is a run directory"; rm -rf refused; }
}

refused 'no such process' 1000000000 'process 1000000000: there is no such process: look up its number *'
refused 'no number' ./busy "--attach: './busy' is not the number of a process: give one that *"
refused 'a program, too' $$ '--attach, --detach: name a process, not a program' ./busy
refused 'a thread of the kernel' 2 'process 2: *' 
sh -c 'echo $$ >itself; exec "$0" --attach $$ -o refused' "$measure" 2>refused.err
t_equal 'itself: exit status' 2 $?
grep -q 'is this measure itself' refused.err || t_fail "itself: $(cat refused.err)"

a_start out ./busy 2
refused 'an adapter that comes too late' "$pid" '--attach: memory cannot be added to a running process: start the program with measure' -a +memory
refused 'counters' "$pid" '--metrics: counters of threads cannot be added to a running process*' -m rusage:ru_minflt
a_option=--detach
refused 'not recorded' "$pid" "process $pid: is not being recorded: record it with measure --attach"
a_option=
kill -STOP "$pid"
a_until 'to stop' grep -q '^State:.*T' "/proc/$pid/status"
refused 'stopped' "$pid" "process $pid: is stopped: *"
kill -CONT "$pid"
a_attach run1 "$pid"
refused 'recorded already' "$pid" "process $pid: is recorded already: end that first with measure --detach"
a_detach "$pid"
kill -TERM "$pid"
wait "$pid"
t_equal 'the program: exit status' 0 $?

a_start out2 "$measure" -o run2 ./busy 2
program=$(pgrep -P "$pid" busy | head -n 1)
if [ -n "$program" ]; then
	refused 'started by measure' "$program" "process $program: is recorded already: *"
	a_option=--detach
	refused 'detach: started by measure' "$program" "process $program: was started by measure: *"
	a_option=
	kill -TERM "$program"
	wait "$pid"
	t_equal 'started by measure: exit status' 0 $?
fi

if "${CC:-cc}" -O2 -static -o static "$t_here/busy.c" -lpthread 2>/dev/null; then
	a_start out3 ./static 2
	refused 'static' "$pid" "process $pid: is linked statically: *"
	kill -TERM "$pid"
	wait "$pid"
	t_equal 'static: exit status' 0 $?
fi

# A zombie: its parent has become a program that does not wait.
sh -c 'sleep 0.5 & echo $!; exec sleep 30' >zombie &
a_started="$a_started $!"
a_until 'a zombie' sh -c 'grep -q "^State:.*Z" /proc/$(cat zombie)/status'
refused 'zombie' "$(cat zombie)" 'process *: has ended already'

if command -v strace >/dev/null; then
	strace -f -o /dev/null ./busy 2 >out4 2>&1 &
	tracer=$!
	a_started="$a_started $tracer"
	a_until 'strace' [ -s out4 ]
	program=$(pgrep -P "$tracer" busy | head -n 1)
	refused 'traced' "$program" "process $program: is being traced by another program *"
	kill -TERM "$program"
	wait "$tracer"
	t_equal 'traced: exit status' 0 $?
fi
if ./filtered all true 2>/dev/null; then
	a_start out5 ./filtered all ./busy 2
	refused 'seccomp' "$pid" "process $pid: restricts its system calls (seccomp): start it with measure"
	kill -TERM "$pid"
	wait "$pid"
	t_equal 'seccomp: exit status' 0 $?
	a_start out6 ./busy 2
	a_as='./filtered ptrace'
	refused 'no ptrace' "$pid" "process $pid: the kernel allows no tracing (Operation not permitted): start the program with measure"
	a_as=
	kill -TERM "$pid"
	wait "$pid"
	t_equal 'no ptrace: exit status' 0 $?
	# A kernel that may not have Yama, as it would look with it.
	mkdir -p scope/yama
	for scope in 1 3; do
		unshare --mount mount --bind scope /proc/sys/kernel 2>/dev/null || continue
		echo $scope >scope/yama/ptrace_scope
		a_start "out.$scope" unshare --mount sh -c 'mount --bind scope /proc/sys/kernel && exec ./busy 2'
		a_as="nsenter --mount=/proc/$pid/ns/mnt --wd=$work ./filtered ptrace"
		case $scope in
		1) remedy='let root set it to 0, or start the program with measure' ;;
		*) remedy='start the program with measure' ;;
		esac
		refused "ptrace_scope $scope" "$pid" "process $pid: the kernel allows no tracing (kernel.yama.ptrace_scope is $scope): $remedy"
		a_as=
		kill -TERM "$pid"
		wait "$pid"
		t_equal "ptrace_scope $scope: exit status" 0 $?
	done
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 "$work" && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
	setpriv --reuid 65534 --regid 65534 --clear-groups sleep 30 &
	program=$!
	a_started="$a_started $program"
	a_until 'another user' grep -q '^Uid:.65534' "/proc/$program/status"
	refused 'another user' "$program" "process $program: belongs to another user: *"
	# Its own user may not look at it, and root cannot record it.
	cp busy capable
	if PATH=$PATH:/usr/sbin setcap cap_net_raw+ep capable 2>/dev/null; then
		a_start out7 setpriv --reuid 65534 --regid 65534 --clear-groups ./capable 2
		a_as='setpriv --reuid 65534 --regid 65534 --clear-groups'
		refused 'file capabilities' "$pid" "process $pid: is protected (set-uid, file capabilities, or not dumpable): start an unprotected copy with measure"
		a_as=
		kill -TERM "$pid"
		wait "$pid"
		t_equal 'file capabilities: exit status' 0 $?
	fi
fi
t_end
