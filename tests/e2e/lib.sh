# SPDX-License-Identifier: BSD-3-Clause
#
# What the end-to-end tests have in common. They run in the build directory; a test's own files
# are in $work, which is removed afterwards.
set -u

t_here=$(cd "$(dirname "$0")" && pwd)
t_tests=${t_here%/tests/*}/tests
t_programs=$t_tests/e2e/programs
t_source=${t_tests%/tests}
t_build=$PWD
work=$(mktemp -d)
t_failures=0

measure=$t_build/measure
export MEASURE_CHECK="$t_build/measure-check" # for soundness.sh: a test may leave this directory
behave=$t_build/tests/e2e/programs/behave
# Nothing of the caller's may change what is tested.
unset MEASURE_OUTPUT MEASURE_ADAPTERS MEASURE_BUFFER MEASURE_CHUNK MEASURE_SPOOL MEASURE_FLUSH_INTERVAL MEASURE_CLOCK \
	MEASURE_MPI_GROUPS MEASURE_PROFILE MEASURE_KEEP MEASURE_FILTER MEASURE_EXCLUDE MEASURE_INCLUDE MEASURE_STRICT MEASURE_LENIENT MEASURE_VERBOSE MEASURE_LIBDIR LD_PRELOAD
# The last words would be in all that is compared; tests/e2e/summary/final_message.sh is about them.
export MEASURE_QUIET=yes

t_clear()
{
	chmod -R u+rwx "$work" 2>/dev/null
	rm -rf "$work" ${t_names:+"$t_names"}
}
trap t_clear EXIT
trap 'exit 1' INT TERM HUP

t_skip()
{
	echo "skipped: $*"
	exit 77
}

. "$t_tests/asan.sh"

# t_left_out_under_asan WHAT WHY: true in builds with AddressSanitizer, with a word; for the part of a test that it
# cannot live with
t_left_out_under_asan()
{
	left_out_under_asan "$t_build" "$@"
}

# t_name NAME COMMAND: the command by this name, first of all in PATH. Not by a link: launchers look for what belongs
# to them beside themselves.
t_name()
{
	printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$t_names/$1"
	chmod +x "$t_names/$1"
}

# mpicc and mpirun are those of the MPI library that the adapter is built for, whatever the machine calls so.
t_mpirun=$(sed -n 's/^MPIRUN = //p' Makefile 2>/dev/null)
case $t_mpirun in
'' | "$(command -v mpirun)") ;;
*)
	t_names=$(mktemp -d)
	t_name mpirun "$t_mpirun"
	t_name mpicc "$(sed -n 's/^MPICC = //p' Makefile)"
	PATH=$t_names:$PATH
	;;
esac

# Tests count calls, so all of them are recorded. throttle.sh and throttle_shared_by_job.sh test the default.
export MEASURE_OVERHEAD=off

# Skips the test where no jobs can be started.
t_need_mpirun()
{
	command -v mpirun >/dev/null || t_skip 'no mpirun'
	. "$t_tests/mpirun.sh"
	mpirun -n 1 true >/dev/null 2>&1 || t_skip 'mpirun does not work here'
}

# t_starts_several: does the launcher start several programs as one job? That of Open MPI 5.0.7 in Debian 13 crashes.
t_starts_several()
{
	mpirun -n 1 true : -n 1 true >/dev/null 2>&1 && return
	echo "left out, several programs in one job: $(mpirun --version 2>&1 | head -n 1) cannot start them"
	return 1
}

# t_nr_events DIR: those of an archive
t_nr_events()
{
	otf2-print -G "$1/traces.otf2" | awk '/^LOCATION / && sub(/.*# Events: /, "") { nr += $0 } END { print nr + 0 }'
}

t_fail()
{
	echo "failed: $*"
	t_failures=$((t_failures + 1))
}

# t_equal WHAT EXPECTED FOUND
t_equal()
{
	[ "$2" = "$3" ] || t_fail "$1: expected '$2', found '$3'"
}

# t_wait SECONDS COMMAND...: until the command succeeds
t_wait()
{
	t_left=$(($1 * 20))
	shift
	until "$@" >/dev/null 2>&1; do
		t_left=$((t_left - 1))
		[ $t_left -gt 0 ] || return 1
		sleep 0.05
	done
}

# t_state STATE PID...: are all of them in this state (proc(5): S sleeping, T stopped, ...)?
t_state()
{
	t_letter=$1
	shift
	for t_one in "$@"; do
		[ "$(sed 's/.*) \(.\).*/\1/' "/proc/$t_one/stat" 2>/dev/null)" = "$t_letter" ] || return 1
	done
}

# t_gone PID...: is each of them over, maybe not yet waited for?
t_gone()
{
	for t_pid in "$@"; do
		! kill -0 "$t_pid" 2>/dev/null || t_state Z "$t_pid" || return 1
	done
}

# t_turns PID: how often a process gave up the processor
t_turns()
{
	awk '/^voluntary/ { print $2 }' "/proc/$1/status"
}

# t_lines FILE: how many lines
t_lines()
{
	wc -l <"$1" | tr -d ' '
}

# t_guard MEASURE, t_keeper MEASURE: those of the program that it has started, as process ids
t_guard()
{
	pgrep -P "$1" -x measure-guard
}

t_keeper()
{
	t_guards=$(t_guard "$1") && pgrep -P "$t_guards" -x measure-keeper
}

# Does the kernel tell how a process has ended when somebody has waited for it? Else it is chance. Since Linux 6.15.
t_kernel_tells()
{
	printf '6.15\n%s\n' "$(uname -r)" | sort -C -V
}

# t_record NAME [OPTION]... -- COMMAND...: records into the directory NAME, by ${launcher:-}; the outputs go to `words`
t_record()
{
	t_recorded=$1 t_options=
	shift
	while [ "$1" != -- ]; do
		t_options="$t_options $1"
		shift
	done
	shift
	(timeout 100 ${launcher:-} "$measure" $t_options -o "$t_recorded" "$@") >words 2>&1
}

# An archive is there, no part is left over, and stock readers take it.
t_sound()
{
	[ -f "$1/traces.otf2" ] || {
		t_fail "$1: no archive: $(ls -A "$1" 2>&1)"
		return
	}
	[ ! -e "$1/.parts" ] || t_fail "$1: .parts is left over"
	"$t_tests/soundness.sh" --rectangles 0 "$1" || t_fail "$1: not sound"
}

# t_followed NAME COMMAND...: the same without measure, with children ignored (archive NAME.ignore in $work), and with
# children followed (NAME.follow; what measure-check says of it: NAME.check)
t_followed()
{
	t_name=$1
	shift
	t_plain=$("$@" 2>&1; echo "status $?")
	for t_mode in ignore follow; do
		t_measured=$("$measure" -q --children=$t_mode -o "$work/$t_name.$t_mode" "$@" 2>&1; echo "status $?")
		t_equal "$t_name, $t_mode" "$t_plain" "$t_measured"
		t_wait 30 test ! -e "$work/$t_name.$t_mode/.parts"
	done
	"$MEASURE_CHECK" "$work/$t_name.follow" >"$work/$t_name.check" || t_fail "$t_name: $(cat "$work/$t_name.check")"
}

t_end()
{
	[ $t_failures = 0 ]
	exit
}

# t_events DIR: the records of each location in their order, without times and ids
t_events()
{
	otf2-print "$1/traces.otf2" | awk '
		/^[A-Z_]+ +[0-9]+ +[0-9]+/ {
			location = $2
			sub(/^[A-Z_]+ +[0-9]+ +[0-9]+ */, "&\t")
			split($0, part, "\t")
			gsub(/ <[0-9]+>/, "", part[2])
			split(part[1], word, " ")
			print location, word[1], part[2]
		}' | sort -s -n -k 1,1
}
