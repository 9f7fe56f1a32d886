#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the adapter is on only where it is named; --io-groups chooses calls, and words that are no group are
# refused; a filter knows the paradigm.
. "$(dirname "$0")/../lib.sh"
program=$t_build/tests/adapter/posixio/streams.pio
export T_WORK="$work"
[ -x "$measure" ] || t_skip 'measure is not built'

# records OPTION...: ENTERs of fopen, fputs and fputc
records()
{
	rm -rf "$work/archive"
	"$measure" -q "$@" -o "$work/archive" "$program" >/dev/null || t_fail "$*: ends with $?"
	otf2-print "$work/archive/traces.otf2" | awk '
		$1 == "ENTER" && /"fopen"/ { opens++ }
		$1 == "ENTER" && /"fputs"/ { lines++ }
		$1 == "ENTER" && /"fputc"/ { characters++ }
		END { print opens + 0, lines + 0, characters + 0 }'
}

command -v otf2-print >/dev/null || t_skip 'no otf2-print'
t_equal 'not asked for' '0 0 0' "$(records)"
t_equal 'asked for' '3 4 0' "$(records -a +posixio)"
t_equal 'with characters' '3 4 1' "$(records -a +posixio --io-groups=+char)"
t_sound "$work/archive"
t_equal 'descriptors only' '3 0 0' "$(records -a +posixio --io-groups=data)"
t_sound "$work/archive"
t_equal 'filtered' '0 0 0' "$(records -a +posixio --exclude=paradigm=io)"
t_sound "$work/archive"

"$measure" --strict -a +posixio --io-groups=data,dta -o "$work/none" "$program" >/dev/null 2>"$work/words"
t_equal 'status of a wrong group' 2 $?
grep -q "io-groups.*'dta' is not one of all, auto, open, data" "$work/words" || t_fail "says $(cat "$work/words")"
t_end
