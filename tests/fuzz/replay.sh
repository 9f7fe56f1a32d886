#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: what was once found by a fuzzer stays mended: each target reads its corpus
# (tests/fuzz/corpus/TARGET) and FUZZ_CASES (200) mutations of each input; FUZZ_SEED (1) is the first
# seed. `make fuzz` looks longer.
corpus=$(dirname "$0")/corpus
status=0
for target in filter settings journal events repair archive segment rendezvous cfi; do
	[ -x tests/fuzz/$target ] || continue # the processor cannot be unwound
	printf '%s: ' "$target"
	timeout 580 tests/fuzz/$target "$corpus/$target" || status=1
done
exit $status
