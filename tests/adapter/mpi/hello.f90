! SPDX-License-Identifier: BSD-3-Clause
! Starts and ends MPI, with a collective between, through the binding chosen by the preprocessor; fortran.sh compiles it.
program hello
#ifdef USE_F08
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#ifdef USE_MPIF
  include 'mpif.h'
#endif
  integer :: rank, provided, error
#ifdef WITH_THREADS
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  if (error /= MPI_SUCCESS .or. provided < MPI_THREAD_SINGLE) stop 1
#else
  call MPI_Init(error)
  if (error /= MPI_SUCCESS) stop 1
#endif
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) print *, 'done'
#ifdef USE_F08
  call MPI_Finalize()
#else
  call MPI_Finalize(error)
#endif
end program hello
