#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: dependences that StarPU declares between tasks with data follow from those that measure_tasks_read()
# infers from what the tasks do with data.
. "$(dirname "$0")/t_starpu.sh"

# closure LEAST COMMAND: so many dependences, at least.
closure()
{
	least=$1
	shift
	check "$*" --clock=monotonic -- "$@"
	tests/adapter/starpu/task_closure "$work/run" >"$work/closure" || fail "$*: $(head -n 5 "$work/closure")"
	nr=$(sed -n 's/.* tasks, \([0-9]*\) declared .*/\1/p' "$work/closure")
	[ "$nr" -ge "$least" ] || fail "$*: $(cat "$work/closure")"
}

closure 20 tests/adapter/starpu/starpu_program data
closure 20 tests/adapter/starpu/starpu_program readers
closure 10 tests/adapter/starpu/starpu_corners planned
closure 10 tests/adapter/starpu/starpu_corners invalidated
closure 10 tests/adapter/starpu/starpu_corners arguments
