#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync gives the same archive with another allocator, where that of the C library begins late: before there are threads
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
generate=$t_build/tests/sync/generate
t_left_out_under_asan all 'its allocator has to be the first one' && t_skip 'AddressSanitizer'
cd "$work" || exit 1
${CC:-cc} -O1 -shared -fPIC -fno-builtin -o allocator.so "$t_here/sync_other_allocator.c" -ldl || t_skip 'no compiler'
"$generate" --program ring,collectives --ranks 8 --iterations 50 --clock offset=500,drift=20 in >/dev/null || t_fail 'no archive'

"$sync" -q --threads 4 in -o one || t_fail "status $?"
LD_PRELOAD=$work/allocator.so "$sync" -q --threads 4 in -o other 2>words || t_fail "with another allocator: status $?"
t_equal 'threads' 'a thread' "$(sort -u words)"
diff -r -x '*.otf2' one other || t_fail 'another archive'
t_end
