#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: summary.txt tells how many bytes were moved from and to each file, by which interface, and nothing of files where none were recorded
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cc=${CC:-cc}
$cc -std=gnu11 -O1 -o moved "$t_here/bytes_by_file.c" 2>/dev/null || t_skip 'no compiler'
"$measure" --adapters=+posixio -o run ./moved "$work" >out 2>&1
t_equal 'status' 0 $?
t_equal 'words' '' "$(cat out)"
sed -n '/^Files with the most bytes/,/^$/p' run/summary.txt >table

# told FILE: read, written, operations, empty, interface
told()
{
	awk -v file="$work/$1," '$7 == file { print $1, $2, $3, $4, $8 }' table
}

t_equal 'big' '1,024 4,096,000 1,004 2 POSIX' "$(told big)"
t_equal 'stream' '0 5,000 50 0 ISO' "$(told stream)"
t_equal 'numbers' 'size of 3 operations unknown' "$(sed -n 's/.*numbers, ISO C I.O; //p' table)"
! grep -v numbers table | grep -q 'unknown' || t_fail "unknown: $(cat table)"
t_equal 'the most first' "$work/big, POSIX I/O" "$(sed -n '3s/.* s  //p' table)"
awk 'NR > 2 && NF && !($5 > 0 && $6 == "s") { exit 1 }' table || t_fail "times: $(cat table)"
t_sound "$work/run"

"$measure" -o plain ./moved "$work" >out 2>&1
! grep -q '^Files with' plain/summary.txt || t_fail 'files where none were recorded'
t_end
