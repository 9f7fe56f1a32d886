# SPDX-License-Identifier: BSD-3-Clause
# What depends on the processor: unwinding call stacks (--sample), leaving hooks of functions out of the code, entering a
# process that runs (--attach), and wrappers of functions whose arguments are unknown.
AS_CASE([$host_cpu],
	[x86_64], [measure_can_unwind=1; measure_processor_summary=$host_cpu],
	[aarch64], [measure_can_unwind=1; measure_processor_summary="$host_cpu (no --attach)"],
	[measure_can_unwind=0
	measure_processor_summary="$host_cpu (no --sample, no --attach; hooks of filtered functions stay in the code; no wrappers without arguments)"])
AC_DEFINE_UNQUOTED([MEASURE_CAN_UNWIND], [$measure_can_unwind], [1: adapters/sample is built])
AM_CONDITIONAL([CAN_UNWIND], [test $measure_can_unwind = 1])
