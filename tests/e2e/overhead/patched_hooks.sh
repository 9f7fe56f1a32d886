#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: hook calls of functions that are left out are taken out of the code, whatever the compiler makes of them; others stay
. "$(dirname "$0")/../lib.sh"

# calls NAME: of the archive
calls()
{
	otf2-print "$work/run/traces.otf2" | grep -c "^ENTER .*\"$1\""
}

# patched: hook calls that were taken out, as the summary says
patched()
{
	awk '$1 == "patched" { print $2 }' "$work/run/summary.txt"
}

# case_of COMPILER OPTIONS...: is the program the same, and is what is not left out all there?
case_of()
{
	# shellcheck disable=SC2068
	$@ -g -finstrument-functions -pthread -o "$work/patched" "$t_here/patched_hooks.c" 2>"$work/words" || return 0
	"$work/patched" >"$work/plain"
	timeout 60 "$measure" --adapters=compiler --exclude='leaf' --exclude='left' --exclude='jumper' --exclude='last' \
		-o "$work/run" "$work/patched" >"$work/measured"
	t_equal "$*: exit status" 0 $?
	t_equal "$*: output" "$(cat "$work/plain")" "$(cat "$work/measured")"
	t_sound "$work/run"
	t_equal "$*: calls of work" 2 "$(calls work)"
	t_equal "$*: calls of arms" 4000 "$(calls arms)"
	t_equal "$*: calls of right" 2000 "$(calls right)"
	t_equal "$*: calls of leaf" 0 "$(calls leaf)"
	case $("$1" -dumpmachine)$* in
	aarch64*-fno-plt) ;; # by way of a register
	x86_64* | aarch64*)
		[ "$(patched)" -ge 2 ] || t_equal "$*: taken out" 'two or more' "$(patched)"
		;;
	esac
	rm -rf "$work/run"
}

case_of "${CC:-gcc}" -O0
case_of "${CC:-gcc}" -O2
case_of "${CC:-gcc}" -O2 -fno-plt
case_of "${CC:-gcc}" -O2 -no-pie
! command -v clang >/dev/null || case_of clang -O2

"$measure" --no-patch --exclude=leaf -o "$work/run" "$work/patched" >"$work/measured"
t_equal 'with --no-patch: output' "$(cat "$work/plain")" "$(cat "$work/measured")"
t_equal 'with --no-patch: taken out' '' "$(patched)"
t_end
