#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The tables of doc/clocks.md: how accurate corrected times are. Two minutes; not part of make check.
here=$(cd "$(dirname "$0")" && pwd)
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/accuracy_table.py" "$@"
