#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: rarer uses of StarPU (tasks of its own, contexts, parts, parallel tasks, callbacks that acquire data,
# forks, no shutdown, SIGKILL) do the same under measure, and have sound traces with all tasks.
. "$(dirname "$0")/t_starpu.sh"
program=tests/adapter/starpu/starpu_corners

for name in each contexts planned invalidated limited arguments bundled late acquired notified forks; do
	check $name --clock=monotonic -- $program $name
	check $name --clock=monotonic --starpu-groups=-internal -- $program $name
done
# public functions say nothing of tasks that several workers execute together, nor of those without a policy
check policyless -- $program policyless
check policyless --starpu-groups=-internal -- sh -c ': >"$T_FACTS"
	exec env T_FACTS=/dev/null "$0" policyless' $program
STARPU_SCHED=peager check parallel -- $program parallel
check 'several times' --starpu-groups=-internal -- $program each contexts each late
check 'by a thread' -- $program thread acquired
check 'no shutdown' -- $program each exit
check killed -- $program bundled kill
