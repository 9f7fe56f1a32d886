#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: ranks on two hosts agree on one run directory without a word between them: on its
# default name, which has the time of day in it, and on who moves an older one aside.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$*"
	ls -R "$work"
	exit 1
}

# Four ranks in $work, with these options of measure.
run()
{
	(cd "$work" && "$here/hosts" "$here/mpirun" -n 4 \
		"$build/measure" "$@" "$build/tests/cluster/where") >"$work/out" 2>"$work/words"
	status=$?
	[ $status != 77 ] || { cat "$work/out"; exit 77; }
	# Open MPI's own launcher warns now and then that it lost a race for setpgid.
	[ $status = 0 ] && ! grep -v 'setpgid' "$work/words" | grep -q . ||
		{ cat "$work/words"; fail "ends with $status"; }
}

# One archive of four processes on two nodes.
whole()
{
	[ -e "$1/traces.otf2" ] || fail "$1: no archive"
	otf2-print -G "$1/traces.otf2" >"$work/definitions"
	[ "$(grep -c '^LOCATION_GROUP ' "$work/definitions")" = 4 ] || fail "$1: not four processes"
	[ "$(grep -c 'Class: "node"' "$work/definitions")" = 2 ] || fail "$1: not two nodes"
}

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
run
set -- "$work"/measure-*
[ $# = 1 ] || fail "the default names differ: $*"
whole "$1"

run -o "$work/same"
run -o "$work/same"
whole "$work/same"
whole "$work/same.1"
[ ! -e "$work/same.2" ] || fail "moved aside twice"
