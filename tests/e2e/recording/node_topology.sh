#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: an archive says where in its node each process is: packages, memories, caches, cores; found out once
# on each node, and what goes wrong there harms nothing
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
command -v taskset >/dev/null || t_skip 'no taskset'
[ -x "$t_build/measure-topology" ] || t_skip 'built without hwloc'
unset MEASURE_TOPOLOGY
export HWLOC_THISSYSTEM=0

# As the kernel says it of this shell: the first and the last.
all=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
first=${all%%[-,]*}
last=${all##*[-,]}

# tree ARCHIVE: the path of each node; group ARCHIVE: that of the processes' nodes
tree()
{
	otf2-print -G "$1/traces.otf2" | awk '
		{ gsub(/ <[0-9]+>/, "") }
		$1 == "SYSTEM_TREE_NODE" {
			name = $0; sub(/.* Name: "/, "", name); sub(/".*/, "", name)
			class = $0; sub(/.* Class: "/, "", class); sub(/".*/, "", class)
			parent = $0; sub(/.* Parent: "?/, "", parent); sub(/"$/, "", parent)
			path[class "::" name] = (parent in path ? path[parent] "/" : "") class
			if (!groups)
				print path[class "::" name]
		}
		$1 == "LOCATION_GROUP" {
			node = $0; sub(/.* Parent: "/, "", node); sub(/".*/, "", node)
			if (groups)
				print path[node]
		}' "groups=${2-}" | sort | uniq
}

# property ARCHIVE KIND NAME: its values
property()
{
	otf2-print -G "$1/traces.otf2" | sed -n "s/^$2 .*\"MEASURE::$3\".*Value: \"*\([^\"<]*[^\"< ]\).*/\1/p" | sort | uniq
}

# ---- a large node, bound to one processor: what that is in, and nothing else
export HWLOC_SYNTHETIC='pack:4 numa:2 l3:2 core:16 pu:2'
taskset -c "$last" "$measure" -q --topology=always -o one true || t_fail "bound: ends with $?"
t_sound one
if [ "$last" -lt 512 ]; then
	t_equal 'tree of one processor' "machine
machine/node
machine/node/package
machine/node/package/numa
machine/node/package/numa/cache
machine/node/package/numa/cache/core
machine/node/package/numa/cache/core/processor" "$(tree one)"
	t_equal 'process on one processor' machine/node/package/numa/cache/core/processor "$(tree one groups)"
	t_equal 'domains' 'CACHE CORE MACHINE NUMA PU SHARED_MEMORY SOCKET ' \
		"$(otf2-print -G one/traces.otf2 | sed -n 's/^SYSTEM_TREE_NODE_DOMAIN.*Domain: //p' | sort | tr '\n' ' ')"
	t_equal 'processor of the thread' "$last" "$(property one LOCATION_PROPERTY PROCESSOR)"
	property one LOCATION_PROPERTY PLACE | grep -q "^Package .*, NUMA node .*, L3 cache .*, Core .*, Processor $last\$" ||
		t_fail "place of the thread: $(property one LOCATION_PROPERTY PLACE)"
	t_equal 'processors of the node' '0-511' "$(property one SYSTEM_TREE_NODE_PROPERTY PROCESSORS | grep 511)"
	t_equal 'cores of the node' 256 "$(property one SYSTEM_TREE_NODE_PROPERTY CORES)"
	property one SYSTEM_TREE_NODE_PROPERTY MEMORY | grep -q '^[1-9]' || t_fail 'memory: not known'
	property one SYSTEM_TREE_NODE_PROPERTY L3_CACHE | grep -q '^[1-9]' || t_fail 'cache: not known'

	# measure-sync takes it over
	"$t_build/measure-sync" --quiet one -o one.sync || t_fail "measure-sync ends with $?"
	t_equal 'after measure-sync' "$(otf2-print -G one/traces.otf2 | grep ^SYSTEM_TREE)" \
		"$(otf2-print -G one.sync/traces.otf2 | grep ^SYSTEM_TREE)"
fi

# ---- not bound, or not wanted: only the node
HWLOC_SYNTHETIC=pack:1\ core:$((last + 1))\ pu:1 "$measure" -q --topology=always -o free true
[ "${all#0-}" != "$last" ] || t_equal 'not bound' 'machine/node' "$(tree free groups)"
taskset -c "$last" "$measure" -q --topology=no -o no sleep 0.2
t_equal 'not wanted' 'machine
machine/node' "$(tree no)"
t_equal 'nothing known' '' "$(property no SYSTEM_TREE_NODE_PROPERTY PROCESSORS)"

# ---- programs that last a while have it by themselves
taskset -c "$last" "$measure" -q -o auto sleep 1
t_equal 'by itself' "$(tree one)" "$(tree auto)"

# ---- two processes in different places
if [ "$first" != "$last" ] && command -v mpirun >/dev/null; then
	t_need_mpirun
	export HWLOC_SYNTHETIC="pack:$((last + 1)) core:1 pu:1"
	mpirun -n 2 sh -c "[ \$OMPI_COMM_WORLD_RANK = 0 ] && on=$first || on=$last
		exec taskset -c \$on $measure -q --topology=always -o two sleep 0.2" || t_fail "two: ends with $?"
	t_sound two
	t_equal 'nodes of two, with the one memory' 5 "$(otf2-print -G two/traces.otf2 | grep -c '^SYSTEM_TREE_NODE ')"
	otf2-print -G two/traces.otf2 | grep '^LOCATION_GROUP ' | sed 's/.*Parent: "\([^"]*\)".*/\1/' >parents
	t_equal 'places of two' "package::Package $first package::Package $last" "$(tr '\n' ' ' <parents | sed 's/ $//')"
	export HWLOC_SYNTHETIC='pack:4 numa:2 l3:2 core:16 pu:2'
fi

# ---- who finds out: in the place of ours, one that counts, or that does harm
mkdir lib
ln -s "$t_build"/.libs/*.so lib/
export MEASURE_LIBDIR="$work/lib"

# helper COMMAND: it is a script that does this
helper()
{
	printf '#!/bin/sh\n%s\n' "$1" >lib/measure-topology
	chmod +x lib/measure-topology
}

if command -v mpirun >/dev/null; then
	t_need_mpirun
	helper "echo x >>'$work/count'; exec '$t_build/measure-topology'"
	mpirun -n 4 "$measure" -q --topology=always -o four sleep 0.3 || t_fail "four: ends with $?"
	t_equal 'times it was found out, of four processes' 1 "$(t_lines count)"
	[ "$(tree four | wc -l)" -ge 2 ] || t_fail 'four: no tree'
	t_equal 'processors of the node, four processes' 1 \
		"$(otf2-print -G four/traces.otf2 | grep -c '^SYSTEM_TREE_NODE_PROPERTY.*"MEASURE::CORES"')"
fi

# harmless NAME COMMAND: it is as if it was not known
harmless()
{
	helper "$2"
	"$measure" --topology=always -o "$1" sleep 0.1 >words 2>&1 || t_fail "$1: ends with $?"
	[ ! -s words ] || t_fail "$1: says $(cat words)"
	t_sound "$1"
	t_equal "$1: tree" 'machine
machine/node' "$(tree "$1")"
	t_equal "$1: nothing known" '' "$(property "$1" SYSTEM_TREE_NODE_PROPERTY CORES)"
}
harmless crash 'kill -SEGV $$'
harmless rubbish "'$t_build/measure-topology'; head -c 4096 /dev/urandom"
harmless cut "'$t_build/measure-topology'; truncate -s -8 /proc/self/fd/1"
harmless nothing 'exit 1'
harmless hang 'exec sleep 5'
rm lib/measure-topology
printf 'no program\n' >lib/measure-topology
"$measure" -q --topology=always -o none sleep 0.1 || t_fail "no program: ends with $?"
t_sound none
t_end
