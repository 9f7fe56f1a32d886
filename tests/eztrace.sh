# SPDX-License-Identifier: BSD-3-Clause
# For tests to source, after mpirun.sh, that read an archive of EZTrace.

# eztrace_ring SOURCE RANKS: leaves ring_trace/ in the current directory. Where there is none, it says why and fails:
# EZTrace may wait for ever, as it does in an emulator.
eztrace_ring()
{
	for tool in eztrace mpicc mpirun; do
		command -v $tool >/dev/null || { echo "no $tool"; return 1; }
	done
	mpicc -o ring "$1" >words 2>&1 || { echo 'mpicc does not work'; return 1; }
	timeout -k 5 60 mpirun -n "$2" eztrace -t openmpi ./ring >words 2>&1 || { echo "eztrace ends with $?"; return 1; }
	ls ring_trace/*.otf2 >words 2>&1 || { echo 'eztrace leaves no archive'; return 1; }
}
