#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: descriptors that the program was given are there from the beginning: standard ones whatever they are
# (file, pipe, closed), others when they are first used, with what they were opened for.
. "$(dirname "$0")/../lib.sh"
[ -x "$measure" ] || t_skip 'measure is not built'
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
cat >"$work/uses.c" <<'X'
#include <unistd.h>
int main(void)
{
	char c[4];
	ssize_t n = read(0, c, 4);
	return n < 0 || write(7, c, (size_t)n) != n || write(1, "", 1) > 1;
}
X
${CC:-cc} -o "$work/uses" "$work/uses.c" || t_skip 'no compiler'

# record NAME: what it says of handles and their use
record()
{
	"$measure" -q -a +posixio -o "$work/$1" "$work/uses"
	t_equal "$1: status" 0 $?
}

# has NAME WHAT PATTERN
has()
{
	grep -q "$3" "$work/$1.all" || t_fail "$1: no $2: $(grep '^IO' "$work/$1.all")"
}

show()
{
	t_sound "$work/$1"
	otf2-print -G "$work/$1/traces.otf2" >"$work/$1.all"
	otf2-print "$work/$1/traces.otf2" >>"$work/$1.all"
}

echo text >"$work/input"
record files <"$work/input" 7>>"$work/output" >"$work/said"
show files
has files 'standard input' '^IO_HANDLE .*"stdin".*/input.*PRE_CREATED'
has files 'other descriptor' '^IO_HANDLE .*/output.*PRE_CREATED'
has files 'its state' '^IO_PRE_CREATED.*/output.*WRITE_ONLY.*APPEND'
has files 'read' '^IO_OPERATION_COMPLETE .*"stdin".*Bytes Result: 4'
! grep -q '^IO_CREATE_HANDLE' "$work/files.all" || t_fail 'it opens nothing, but something is created'

echo text | record pipes 7>"$work/output" | cat >/dev/null
t_wait 20 test ! -e "$work/pipes/.parts"
show pipes
has pipes 'standard input' '^IO_HANDLE .*"stdin".*File: UNDEFINED.*PRE_CREATED'

record closed <"$work/input" 7>"$work/output" >&-
show closed
! grep -q '"stdout"' "$work/closed.all" || t_fail 'standard output is closed, but has a handle'
t_end
