#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: along relations that measure-sync looks for only where it is told (ready sends, long
# messages that wait for their receives, freed communicators) its times are those of the reference, and
# nothing is left; without being told it does not know of them.
. "$(dirname "$0")/lib.sh"
lmin=process=0,node=50ns,network=500ns
told='--relations=+ready-send,+communicator-release --rendezvous=4096'

# correct ARGUMENT...: of measure-sync
correct()
{
	rm -rf "$work/out"
	./measure-sync -q --presync=piecewise "$@" "$work/in" -o "$work/out" >"$work/said" 2>&1
}

judge()
{
	"$here/oracle/oracle.py" compare "$work/in" "$work/out" --lmin $lmin --domain process --tolerance 2 \
		--assumed 4096 >"$work/said"
}

nr_violated=0
for seed in 1 2 3; do
	rm -rf "$work/in" "$work/times"
	tests/sync/generate --program assumed,comms --free-waits 1 --ranks 5 --iterations 25 --seed $seed \
		--clock offset=300,drift=500,walk=900 --work 100000 "$work/in" || fail generate
	correct || fail "$seed: not told"
	judge || nr_violated=$((nr_violated + 1))
	# shellcheck disable=SC2086 # words on purpose
	correct $told || fail "$seed: told"
	judge || fail "$seed"
	for word in 'ready send' rendezvous 'communicator release'; do
		grep -q "^  $word" "$work/said" || fail "$seed: no $word"
	done
	"$here/oracle/reference.py" --assumed 4096 "$work/in" "$work/times" >"$work/said" || fail "$seed: reference"
	"$here/oracle/oracle.py" times "$work/out" "$work/times" --tolerance 2 >"$work/said" || fail "$seed: times"
done
[ "$nr_violated" -gt 0 ] || fail 'nothing is violated where measure-sync is not told'
echo passed
