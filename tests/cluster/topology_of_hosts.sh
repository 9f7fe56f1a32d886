#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: of two hosts with two ranks each, what they consist of is found out once on each, and each rank is
# below its own host.
. "$(dirname "$0")/lib.sh"
need otf2-print
[ -x ./measure-topology ] || { echo 'built without hwloc'; exit 77; }

# In the place of ours, one that counts.
mkdir "$work/lib"
ln -s "$PWD"/.libs/*.so "$work/lib/"
cat >"$work/lib/measure-topology" <<END
#!/bin/sh
hostname >>'$work/count'
exec '$PWD/measure-topology'
END
chmod +x "$work/lib/measure-topology"
export MEASURE_LIBDIR="$work/lib"

run "$here/hosts" "$here/mpirun" -n 4 -x MEASURE_LIBDIR "$PWD/measure" -o "$work/archive" "$PWD/tests/cluster/where"
[ "$(sort "$work/count" | tr '\n' ' ')" = 'host1 host2 ' ] || fail "found out by: $(tr '\n' ' ' <"$work/count")"
sound archive
describe archive
awk '
	{ gsub(/ <[0-9]+>/, "") }
	$1 == "SYSTEM_TREE_NODE" && /Class: "node"/ { nodes++ }
	$1 == "SYSTEM_TREE_NODE_PROPERTY" && /"MEASURE::CORES"/ { known++ }
	$1 == "LOCATION_GROUP" { ranks++ }
	END {
		if (nodes != 2 || known != 2 || ranks != 4)
			print nodes " nodes, " known + 0 " known, " ranks " ranks"
		exit nodes != 2 || known != 2 || ranks != 4
	}' "$work/definitions" || fail 'wrong tree'
