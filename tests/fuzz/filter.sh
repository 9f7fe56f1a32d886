#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: no text makes the filters' parser or matcher fail: FUZZ_CASES (2000) mutations of
# each file of tests/fuzz/filters; FUZZ_SEED (1) is the first seed.
exec timeout 580 tests/fuzz/filter "$(dirname "$0")"/filters/*
