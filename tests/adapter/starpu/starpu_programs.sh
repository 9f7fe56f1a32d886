#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: programs that use StarPU have the same output and status under measure, and their
# traces agree with StarPU's own counters and times: by its internal functions, and by public ones.
. "$(dirname "$0")/t_starpu.sh"
program=tests/adapter/starpu/starpu_program

for name in data readers tags again regenerated synchronous nested empty threads paused refused profiled; do
	check $name --clock=monotonic -- $program $name
	check $name --clock=monotonic --starpu-groups=-internal -- $program $name
done
# a StarPU after another one, of other workers
check 'several times' -- $program data again data threads
STARPU_SCHED=dmda check dmda -- $program data
STARPU_SCHED=eager check eager -- $program readers
STARPU_NCPU=4 check 'four workers' -- $program readers
