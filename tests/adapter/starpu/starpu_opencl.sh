#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: tasks of a processor and of an OpenCL device (pocl), with all transfers between them and as many bytes
# as StarPU counts; workers with classes and memory nodes.
. "$(dirname "$0")/t_starpu.sh"
program=tests/adapter/starpu/starpu_opencl
[ -x $program ] || { echo "StarPU has no OpenCL"; exit 77; }
export STARPU_NCPU=1 STARPU_NOPENCL=1 STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 POCL_CACHE_DIR="$work/pocl"
unset STARPU_LIMIT_BANDWIDTH

check opencl -- $program
otf2-print -G "$work/run/traces.otf2" >"$work/definitions"
for expected in 'WORKER_CLASS.*CPU' 'WORKER_CLASS.*OpenCL' 'MEMORY_NODE.*Value: 0' 'MEMORY_NODE.*Value: 1'; do
	[ "$(grep -c "^LOCATION_PROPERTY.*MEASURE::$expected" "$work/definitions")" = 1 ] ||
		fail "$expected: $(grep ^LOCATION_PROPERTY "$work/definitions")"
done
grep -q 'data.transfer"' "$work/events" || fail "no transfers"
check public --starpu-groups=-internal -- $program
