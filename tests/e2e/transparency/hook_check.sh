#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a build with --enable-hook-check ends programs where a hook calls what may lock or allocate, and no others
. "$(dirname "$0")/../lib.sh"
nm -D .libs/libmeasure.so 2>/dev/null | grep -q ' T malloc$' || t_skip 'not built with --enable-hook-check'
cd "$work" || exit 1
ulimit -c 0
"${CC:-cc}" -pthread "$t_here/hook_check.c" -o hook_check || exit 1

"$measure" -q -o nothing ./hook_check nothing >out 2>&1
t_equal 'nothing: status' 0 $?
for what in malloc pthread_mutex_lock pthread_create dlsym; do
	"$measure" -q -o $what ./hook_check $what >out 2>&1
	t_equal "$what: status" 134 $?
	grep -q "^measure: hook check: called in a hook: $what\$" out || t_fail "$what: $(cat out)"
done
t_end
