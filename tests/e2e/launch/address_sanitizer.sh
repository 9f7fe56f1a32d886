#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program that is linked to the library of AddressSanitizer, which must be loaded first of all, runs and is recorded, and what it starts has the user's LD_PRELOAD
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
! under_asan "$t_build" || t_skip 'AddressSanitizer: all programs have it'

cat >checked.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}
int main(int count, char **arguments)
{
	volatile int end = 10;
	char *bytes = malloc(10);
	printf("work %d\n", work(10));
	fflush(stdout);
	if (count == 1)
		bytes[end] = 1;
	free(bytes);
	return execlp("sh", "sh", "-c", "echo \"preloaded: $LD_PRELOAD\"; exit 4", (char *)NULL);
}
END
${CC:-cc} -g -O1 -fsanitize=address -finstrument-functions -o checked checked.c 2>words &&
	[ "$(./checked fine 2>>words; echo $?)" = "$(printf 'work 55\npreloaded: \n4')" ] ||
	t_skip "no AddressSanitizer: $(head -n 1 words)"

# calls DIR: how often work() was entered
calls()
{
	otf2-print "$1/traces.otf2" | grep -c '^ENTER.*"work"'
}

for arguments in '' fine; do
	# shellcheck disable=SC2086
	./checked $arguments >plain 2>plain.err
	status=$?
	# shellcheck disable=SC2086
	"$measure" -q -o "run$arguments" ./checked $arguments >measured 2>measured.err
	t_equal "'$arguments': status" $status $?
	t_equal "'$arguments': output" "$(cat plain)" "$(cat measured)"
	t_equal "'$arguments': reports" "$(grep -c AddressSanitizer plain.err)" "$(grep -c AddressSanitizer measured.err)"
	! grep measure measured.err | grep -v checked || t_fail "'$arguments': $(cat measured.err)"
	t_sound "run$arguments"
	t_equal "'$arguments': calls" 177 "$(calls "run$arguments")"
done
"$measure" -q --children=follow -o child sh -c './checked fine; exit $?' >measured
t_equal 'as a child: status' 4 $?
t_wait 30 test ! -e child/.parts
t_equal 'as a child: calls' 177 "$(calls child)"
t_end
