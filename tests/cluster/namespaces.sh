#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the cluster of namespaces is what it says: ranks on two hosts with names of their
# own and clocks that are 1000 s apart.
. "$(dirname "$0")/lib.sh"
need
"$here/hosts" "$here/mpirun" -n 4 tests/cluster/where >"$work/out"
status=$?
cat "$work/out"
[ $status = 0 ] || exit $status
awk '
	{ host[$1] = $2; seconds[$1] = $3 }
	END {
		step = seconds[3] - seconds[0]
		exit !(NR == 4 && host[0] == "host1" && host[1] == "host1" && host[2] == "host2" &&
			host[3] == "host2" && step >= 999 && step <= 1001)
	}' "$work/out"
