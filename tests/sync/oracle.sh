#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: the oracle of clock correction agrees with the truth of generate and with measure-check;
# the exact reference satisfies it; each of its checks finds a planted fault.
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/oracle/test_oracle.py"
