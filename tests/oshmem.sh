# SPDX-License-Identifier: BSD-3-Clause
# For tests to source that start OpenSHMEM programs, after mpirun.sh. shmem_finalize() of Debian's Open MPI 4.1.4 crashes in
# its module for one-sided communication of MPI, which OpenSHMEM does not need.
export OMPI_MCA_osc=^rdma
