#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the two stories of doc/tutorial-tasks.md: messages are late with a low eager limit and one request at a
# time, and a scheduler that ignores priorities leaves workers without ready tasks; measure-analyze --tasks says so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
command -v "$mpirun" >/dev/null || { echo "no launcher of MPI programs"; exit 77; }
[ -x ./measure-analyze ] || { echo "no ./measure-analyze"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/../../tests/mpirun.sh"
case $("$mpirun" --version 2>&1) in
*Open*MPI* | *OpenRTE*) ;;
*) echo 'eager limits are those of Open MPI'; exit 77 ;;
esac
export OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo

# record NAME EAGER_LIMIT OPTION...
record()
{
	name=$1 limit=$2
	shift 2
	OMPI_MCA_btl_tcp_eager_limit=$limit $mpirun --bind-to none -n 2 ./measure -q -o "$work/$name" doc/examples/tiles "$@"
	"$here/../../tests/soundness.sh" "$work/$name"
	./measure-analyze --tasks "$work/$name" >"$work/$name.text"
	cat "$work/$name.text"
}

# share NAME "LINE": its percentage of the makespan
share()
{
	sed -n "s/^$2 .* \\([0-9.]*\\) %  .*/\\1/p" "$work/$1.text"
}

fail()
{
	echo "not so: $*"
	exit 1
}

record late 65536 -r 1 -p 2000
grep -q '^1,056 tasks, 816 of the application executed, 2 processes; workers: 16 CPU$' "$work/late.text" || fail 'tasks'
grep -q '^NO  *no late messages' "$work/late.text" || fail 'messages are late'
awk "BEGIN { exit !($(share late 'critical path, messages') > 2 * $(share late 'critical path')) }" ||
	fail 'the critical path is made of messages'
record early 1048576 -r 1 -p 2000
awk "BEGIN { exit !($(share early 'area bound') > 1.3 * $(share late 'area bound')) }" || fail 'a higher limit helps'

record fifo 1048576 -w 12 -s fifo
record priority 1048576 -w 12 -s priority
awk "BEGIN { exit !($(share priority 'area bound') > 1.05 * $(share fifo 'area bound')) }" || fail 'priorities help'
