# SPDX-License-Identifier: BSD-3-Clause
#
# What tests on clusters of namespaces have in common. They run in the build directory; a test's own
# files are in $work, which is removed afterwards.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail()
{
	echo "$*"
	[ ! -s "$work/words" ] || cat "$work/words"
	exit 1
}

# Skips the test where these are not there, or programs are for another MPI library than tests/cluster/mpirun.
need()
{
	[ -x ./measure ] || { echo "measure is not built"; exit 77; }
	case $("$(sed -n 's/^MPIRUN = //p' Makefile)" --version 2>&1) in
	*Open*MPI* | *OpenRTE*) ;;
	*) echo "not built for Open MPI"; exit 77 ;;
	esac
	for tool in "$@"; do
		command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }
	done
}

# run COMMAND...: a command of tests/cluster/hosts that has to end well and without a word on stderr.
# What it says on stdout is in $work/out. Open MPI's own launcher warns now and then that it lost a race
# for setpgid.
run()
{
	"$@" >"$work/out" 2>"$work/words"
	status=$?
	[ $status != 77 ] || { cat "$work/out"; exit 77; }
	[ $status = 0 ] && ! grep -v 'setpgid' "$work/words" | grep -q . || fail "ends with $status"
}

# describe NAME: of the archive $work/NAME, global definitions and clock offsets as text
describe()
{
	otf2-print -G "$work/$1/traces.otf2" >"$work/definitions"
	otf2-print -C "$work/$1/traces.otf2" >"$work/offsets"
}

# score NAME CLOCK: how wrong the times of $work/NAME are, recorded on this simulated clock; see truth.c
score()
{
	describe "$1"
	awk -f "$here/truth.awk" "$work/definitions" "$work/offsets" |
		tests/cluster/truth "$2" 1e9 >"$work/$1.score" || fail "$1: no score"
	cat "$work/$1.score"
}

# sound NAME: where processes seldom run at the same time, offsets are as poor as round trips are long,
# and some things seem to happen before their causes
sound()
{
	"$here/../soundness.sh" --but clock.condition "$work/$1" || fail "$1: not sound"
}

# correct NAME: $work/NAME.sync is what measure-sync makes of it
correct()
{
	./measure-sync --quiet "$work/$1" -o "$work/$1.sync" || fail "$1: measure-sync ends with $?"
	"$here/../soundness.sh" "$work/$1.sync" || fail "$1: not sound after measure-sync"
}
