#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: with every backward rule of measure-sync, also where clock offsets were measured and clocks
# are coarse, no event comes before its presynchronised time, and times are those of the reference but for
# rounding.
. "$(dirname "$0")/lib.sh"
lmin=process=0,node=50ns,network=500ns

# try RULE ARGUMENT...: of generate
try()
{
	rule=$1
	shift
	rm -rf "$work/in" "$work/out" "$work/times"
	tests/sync/generate --program mixed --ranks 5 --threads 2 --iterations 15 "$@" "$work/in" || fail generate
	./measure-sync -q --presync=piecewise --backward="$rule" "$work/in" -o "$work/out" || fail "$rule $*"
	"$here/oracle/oracle.py" compare "$work/in" "$work/out" --lmin $lmin >"$work/said" || fail "$rule $*"
	"$here/oracle/reference.py" --backward "$rule" "$work/in" "$work/times" >"$work/said" || fail "$rule $*"
	"$here/oracle/oracle.py" times "$work/out" "$work/times" --tolerance 2 >"$work/said" || fail "$rule $*"
}

for rule in hull none; do
	try $rule --seed 1 --samples ends --rtt 40000 --clock offset=50,drift=50
	try $rule --seed 10 --samples ends --rtt 40000 --work 1000000 --clock offset=50,drift=500,walk=900,tick=1000
	try $rule --seed 19 --samples periodic --sample-every 1 --rtt 20000 --clock offset=20,sine=50,period=0.01
done
try hull --seed 3 --clock offset=300 --spawned 2 --created 2 --renumber 1 --program ring,hybrid
try sum --seed 10 --samples ends --rtt 40000 --work 1000000 --clock offset=50,drift=500,walk=900,tick=1000
try sum --seed 2 --clock offset=300
echo passed
