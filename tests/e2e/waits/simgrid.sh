#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the run time in an ideal network is what SimGrid finds when it simulates the same computing on a network that takes no time: within 2 %
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
t_need_mpirun
command -v smpicc >/dev/null && command -v smpirun >/dev/null || t_skip 'no SimGrid (Debian: libsimgrid-dev)'
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
command -v python3 >/dev/null || t_skip 'no python3'

cat >ideal.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <host id="host" speed="1Gf" core="16"/>
    <link id="link" bandwidth="1e18Bps" latency="0s" sharing_policy="FATPIPE"/>
    <route src="host" dst="host"><link_ctn id="link"/></route>
  </zone>
</platform>
XML
printf 'host\n%.0s' 1 2 3 4 >hosts

# take_durations ARCHIVE: how long each work() has taken, in nanoseconds, into work.RANK
take_durations()
{
	local resolution

	resolution=$(otf2-print -G "$1" | sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\),.*/\1/p')
	rm -f work.*
	otf2-print "$1" | awk -v resolution="$resolution" '
		/^ENTER .*Region: "work"/ { begin[$2] = $3 }
		/^LEAVE .*Region: "work"/ { printf "%.0f\n", ($3 - begin[$2]) * 1e9 / resolution >("work." $2) }'
}

# A root sends to all, and all to a root, without others in between.
simulate()
{
	timeout 60 smpirun -np 4 -platform ideal.xml -hostfile hosts --log=root.thres:error --cfg=smpi/host-speed:1Gf \
		--cfg=smpi/cpu-threshold:1e9 --cfg=smpi/bcast:flattree --cfg=smpi/gather:ompi_basic_linear \
		--cfg=smpi/reduce:flat_tree ./simulated "$1" | sed -n 's/^time_ns //p'
}

mpicc -g -O1 -finstrument-functions -o native "$t_here/simulated.c" || t_fail 'simulated.c does not compile'
smpicc -DSIMULATED -O1 -o simulated "$t_here/simulated.c" >words 2>&1 || t_fail "smpicc: $(cat words)"
for program in ring halo farm; do
	mpirun -n 4 "$measure" -o "$program" ./native "$program" >words || t_fail "$program: ended with $?"
	take_durations "$program/traces.otf2"
	t_equal "$program: ranks" 4 "$(ls work.* | wc -l)"
	timeout 60 "$t_build/measure-analyze" --format json "$program" >out || t_fail "$program: measure-analyze: $?"
	simulated=$(simulate "$program")
	python3 - out "$simulated" "$program" <<'PY' || t_failures=$((t_failures + 1))
import json, sys
with open(sys.argv[1]) as text:
    efficiency = json.load(text)["efficiency"]
simulated, found = float(sys.argv[2] or 0), efficiency["ideal_ns"]
print("%s: %.1f ms, in an ideal network %.1f ms; SimGrid: %.1f ms"
      % (sys.argv[3], efficiency["time_ns"] / 1e6, found / 1e6, simulated / 1e6))
if abs(found - simulated) > 0.02 * simulated or simulated < 50e6:
    sys.exit("failed: %s: %d ns is not within 2 %% of %d ns" % (sys.argv[3], found, simulated))
PY
done
t_end
