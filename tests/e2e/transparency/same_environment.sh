#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program finds the environment, descriptors, signals and limits that measure was given
. "$(dirname "$0")/../lib.sh"

# same NAME SHELL-TEXT: runs `$prefix PROGRAM` with and without measure between the two
same()
{
	plain=$(eval "prefix=''; $2" 2>&1)
	measured=$(eval "prefix='$measure -q -o $work/$1'; $2" 2>&1)
	[ "$plain" = "$measured" ] || t_fail "$1: $(diff <(echo "$plain") <(echo "$measured"))"
	[ -f "$work/$1/traces.otf2" ] || t_fail "$1: no archive"
}

# The shell sets _ to what it starts.
same environment 'A=1 MEASURE_FOO=bar Z=2 $prefix printenv | grep -v ^_='
same empty-environment 'env -i $prefix /usr/bin/printenv'
same preload 'LD_PRELOAD=libm.so.6 X=1 $prefix printenv | grep -v ^_='
same preloads 'X=1 LD_PRELOAD="libm.so.6 libdl.so.2" Y=2 $prefix printenv | grep -v ^_='
same empty-preload 'LD_PRELOAD= Y=2 $prefix printenv | grep -v ^_='
same descriptors '$prefix ls -l /proc/self/fd 7</dev/null </dev/null | sed "s/.*[0-9][0-9]:[0-9][0-9] //; s/:\[[0-9]*\]//; s,/proc/.*,itself,"'
same closed-stdin '$prefix sh -c "ls /proc/\$\$/fd" <&-'
same closed-all 'exec 3>&1; $prefix sh -c "ls /proc/\$\$/fd >&3" <&- >&- 2>&-; echo $?'
same signal-mask '$prefix grep -E "^(Sig|Shd)(Blk|Ign|Cgt|Pnd)" /proc/self/status'
same ignored 'trap "" HUP TERM USR1 CHLD; $prefix grep -E "^Sig(Blk|Ign)" /proc/self/status'
same limits '$prefix sh -c "ulimit -a"'
same umask 'umask 027; $prefix sh -c umask'
same group 'set +m; $prefix ps -o pgid=,sid=,tty= -p \$\$ 2>/dev/null; $prefix sh -c "ps -o pgid=,sid= -p \$\$"'
same directory 'cd /tmp && $prefix pwd'
same argv0 '$prefix sh -c "tr \\\\0 _ </proc/\$\$/cmdline"'

# No memory to map what we record into: not the program's problem.
if ! t_left_out_under_asan 'little memory' 'it has terabytes of address space for itself'; then
	(ulimit -v 200000; "$measure" -b 400M -o "$work/small" sh -c 'echo ran; exit 3') >"$work/out" 2>"$work/err"
	t_equal 'little memory: status' 3 $?
	t_equal 'little memory: stdout' ran "$(cat "$work/out")"
	t_equal 'little memory: lines on stderr' 1 "$(t_lines "$work/err")"
	[ ! -e "$work/small" ] || t_fail 'little memory: a directory is left over'
fi
t_end
