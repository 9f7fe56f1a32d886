#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: ranks on two hosts agree on one run directory without a word between them: on its
# default name, which has the time of day in it, and on who moves an older one aside.
. "$(dirname "$0")/lib.sh"
build=$PWD

# Four ranks in $work, with these options of measure.
where()
{
	cd "$work" || exit 1
	run "$here/hosts" "$here/mpirun" -n 4 "$build/measure" "$@" "$build/tests/cluster/where"
	cd "$build" || exit 1
}

# One archive of four processes on two nodes.
whole()
{
	[ -e "$1/traces.otf2" ] || fail "$1: no archive in $(ls "$work")"
	otf2-print -G "$1/traces.otf2" >"$work/definitions"
	[ "$(grep -c '^LOCATION_GROUP ' "$work/definitions")" = 4 ] || fail "$1: not four processes"
	[ "$(grep -c 'Class: "node"' "$work/definitions")" = 2 ] || fail "$1: not two nodes"
}

need otf2-print
where
set -- "$work"/measure-*
[ $# = 1 ] || fail "the default names differ: $*"
whole "$1"

where -o "$work/same"
where -o "$work/same"
whole "$work/same"
whole "$work/same.1"
[ ! -e "$work/same.2" ] || fail "moved aside twice"
