# SPDX-License-Identifier: BSD-3-Clause
# For tests to source that start MPI programs. Launchers refuse root and more ranks than processors
# unless told, and whoever waits must let others run. They read ahead what there is on stdin, and
# fail now and then (Open MPI's: open-mpi/ompi#7483) or always (MPICH's) where no rank wants it.
exec </dev/null
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5
# With several interfaces, Open MPI 5.0 prints for each rank that some cannot be paired (open-mpi/ompi#14079).
export OMPI_MCA_btl_tcp_if_include=lo
