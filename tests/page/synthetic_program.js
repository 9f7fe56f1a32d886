// SPDX-License-Identifier: BSD-3-Clause
// The program whose runs are made up: its state classes, regions and call paths.

export const CLASSES = ['computation', 'mpi-setup', 'mpi-p2p', 'mpi-coll', 'openmp-sync', 'idle'];
export const REGIONS = [
	{ name: 'main', file: 'app.c', line: 10, class: 0 },
	{ name: 'solve', file: 'app.c', line: 40, class: 0 },
	{ name: 'stencil', file: 'kernels.c', line: 7, class: 0 },
	{ name: 'reduce</script><b>', file: 'kernels.c', line: 90, class: 0 },
	{ name: 'MPI_Init', file: '', line: 0, class: 1 },
	{ name: 'MPI_Isend', file: '', line: 0, class: 2 },
	{ name: 'MPI_Recv', file: '', line: 0, class: 2 },
	{ name: 'MPI_Allreduce', file: '', line: 0, class: 3 },
	{ name: 'parallel', file: 'kernels.c', line: 8, class: 4 },
	{ name: 'output 📈', file: 'io.c', line: 3, class: 0 },
];
// [parent, region]; path 0 is outside of all calls
export const PATHS = [[-1, -1], [0, 0], [1, 4], [1, 1], [3, 2], [3, 3], [3, 5], [3, 6], [3, 7], [0, 8], [9, 2], [1, 9]];
