/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent collectives under the names that they have in Open MPI 4, before MPI 4: the rows of
 * calls/coll.def then stand for MPIX_Bcast_init and so on. For whatever expands mpi_calls.def;
 * TEXT(MPI_##name) there is the name as the library has it. */
#ifndef MEASURE_MPI_MPIX_H
#define MEASURE_MPI_MPIX_H

#define TEXT(name)    TEXT_OF(name)
#define TEXT_OF(name) #name

#if defined(HAVE_PMPIX_Allreduce_init) && !defined(HAVE_PMPI_Allreduce_init)
#include <mpi.h>

#include <mpi-ext.h>

#define MPI_Barrier_init               MPIX_Barrier_init
#define PMPI_Barrier_init              PMPIX_Barrier_init
#define MPI_Bcast_init                 MPIX_Bcast_init
#define PMPI_Bcast_init                PMPIX_Bcast_init
#define MPI_Gather_init                MPIX_Gather_init
#define PMPI_Gather_init               PMPIX_Gather_init
#define MPI_Gatherv_init               MPIX_Gatherv_init
#define PMPI_Gatherv_init              PMPIX_Gatherv_init
#define MPI_Scatter_init               MPIX_Scatter_init
#define PMPI_Scatter_init              PMPIX_Scatter_init
#define MPI_Scatterv_init              MPIX_Scatterv_init
#define PMPI_Scatterv_init             PMPIX_Scatterv_init
#define MPI_Allgather_init             MPIX_Allgather_init
#define PMPI_Allgather_init            PMPIX_Allgather_init
#define MPI_Allgatherv_init            MPIX_Allgatherv_init
#define PMPI_Allgatherv_init           PMPIX_Allgatherv_init
#define MPI_Alltoall_init              MPIX_Alltoall_init
#define PMPI_Alltoall_init             PMPIX_Alltoall_init
#define MPI_Alltoallv_init             MPIX_Alltoallv_init
#define PMPI_Alltoallv_init            PMPIX_Alltoallv_init
#define MPI_Alltoallw_init             MPIX_Alltoallw_init
#define PMPI_Alltoallw_init            PMPIX_Alltoallw_init
#define MPI_Reduce_init                MPIX_Reduce_init
#define PMPI_Reduce_init               PMPIX_Reduce_init
#define MPI_Allreduce_init             MPIX_Allreduce_init
#define PMPI_Allreduce_init            PMPIX_Allreduce_init
#define MPI_Reduce_scatter_init        MPIX_Reduce_scatter_init
#define PMPI_Reduce_scatter_init       PMPIX_Reduce_scatter_init
#define MPI_Reduce_scatter_block_init  MPIX_Reduce_scatter_block_init
#define PMPI_Reduce_scatter_block_init PMPIX_Reduce_scatter_block_init
#define MPI_Scan_init                  MPIX_Scan_init
#define PMPI_Scan_init                 PMPIX_Scan_init
#define MPI_Exscan_init                MPIX_Exscan_init
#define PMPI_Exscan_init               PMPIX_Exscan_init
#define MPI_Neighbor_allgather_init    MPIX_Neighbor_allgather_init
#define PMPI_Neighbor_allgather_init   PMPIX_Neighbor_allgather_init
#define MPI_Neighbor_allgatherv_init   MPIX_Neighbor_allgatherv_init
#define PMPI_Neighbor_allgatherv_init  PMPIX_Neighbor_allgatherv_init
#define MPI_Neighbor_alltoall_init     MPIX_Neighbor_alltoall_init
#define PMPI_Neighbor_alltoall_init    PMPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallv_init    MPIX_Neighbor_alltoallv_init
#define PMPI_Neighbor_alltoallv_init   PMPIX_Neighbor_alltoallv_init
#define MPI_Neighbor_alltoallw_init    MPIX_Neighbor_alltoallw_init
#define PMPI_Neighbor_alltoallw_init   PMPIX_Neighbor_alltoallw_init
#endif
#endif
