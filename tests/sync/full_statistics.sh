#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-sync --statistics=full gives the numbers that come from a plain look at every
# event and every pair of input and output.
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/oracle/full_statistics.py"
