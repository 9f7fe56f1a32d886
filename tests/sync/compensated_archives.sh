#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: measure-sync --compensate gives archives the times that the run would have had without recording,
# which generate knows; an independent reference says the same of each event.
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
. "$here/../mpirun.sh"
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
MPIRUN=$(command -v "$mpirun") PYTHONDONTWRITEBYTECODE=1 exec python3 "$here/oracle/test_compensation.py"
