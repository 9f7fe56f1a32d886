# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of measure --attach have in common: programs that run, and measure attached to them.

[ "$(uname -m)" = x86_64 ] || t_skip 'only on x86-64'
! grep -q __asan_init "$t_build/.libs/libmeasure.so" || t_skip 'AddressSanitizer must be loaded first of all'
cd "$work" || exit 1
a_started=

# a_compile NAME SOURCE OPTION...: into the test's folder
a_compile()
{
	a_name=$1 a_source=$2
	shift 2
	"${CC:-cc}" -O2 -g "$@" -o "$a_name" "$t_here/$a_source" -lpthread 2>cc.err || t_skip "cannot compile $a_source: $(head -n 1 cc.err)"
}

# a_end: ends all that was started
a_end()
{
	for p in $a_started; do
		kill -KILL "$p" 2>/dev/null
	done
	wait 2>/dev/null
	t_clear
}
trap a_end EXIT

# a_until WHAT COMMAND...: waits for a command to succeed
a_until()
{
	a_what=$1
	shift
	for i in $(seq 600); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.05
	done
	t_fail "$a_what: not within 30 seconds"
	return 1
}

# a_start OUTPUT COMMAND...: starts a program in the background, as $pid, and waits for its first line
a_start()
{
	a_output=$1
	shift
	"$@" >"$a_output" 2>&1 &
	pid=$!
	a_started="$a_started $pid"
	a_until "$*: to start" [ -s "$a_output" ]
}

# a_attach DIR PID OPTION...: attaches in the background, as $attached, and waits until it records
a_attach()
{
	a_dir=$1
	shift
	a_pid=$1
	shift
	MEASURE_QUIET=no "$measure" --attach "$a_pid" -o "$a_dir" "$@" >"$a_dir.out" 2>"$a_dir.err" &
	attached=$!
	a_until "attach to $a_pid" grep -q . "$a_dir.err"
	grep -q 'recording into' "$a_dir.err" || t_fail "attach to $a_pid: $(cat "$a_dir.err")"
}

# a_detach PID: detaches, and waits for the measure that has attached
a_detach()
{
	"$measure" --detach "$1" || t_fail "detach from $1: exit status $?"
	wait "$attached"
	t_equal "exit status of measure --attach" 0 $?
}

# a_visits DIR REGION: calls of a region, from the profile
a_visits()
{
	"$t_build/measure-profile" --format=csv "$1" 2>/dev/null | awk -F, -v wanted="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "visits") v = i; else if ($i == "region") r = i }
	{ gsub(/"/, "", $r) }
	$r == wanted { n += $v }
	END { print n + 0 }'
}
