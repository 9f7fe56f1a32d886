! SPDX-License-Identifier: BSD-3-Clause
! Collectives, blocking and nonblocking, in place, from any address, with an operation of the
! program's own.
! Ranks: 3
! Library: Open MPI
! MPICH 4.0 takes MPI_BOTTOM for an address here, also without Measure.
program collectives
#include "binding.inc"
  integer :: rank, i
  integer :: mine(3), all(3), counts(3), displacements(3), matrix(3, 3)
  integer(kind=MPI_ADDRESS_KIND) :: address(1)
  DATATYPE :: anywhere, types(3)
  OPERATION :: larger
  REQUEST :: requests(3)
#ifdef USE_F08
  procedure(MPI_User_function) :: maximum
#else
  external :: maximum
#endif

  call MPI_Init(ERR_ALONE)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERR)
  mine = rank + 1
  counts = [1, 1, 1]
  displacements = [0, 1, 2]

  call MPI_Barrier(MPI_COMM_WORLD ERR)
  i = 7 * (1 - min(rank, 1))
  call MPI_Bcast(i, 1, MPI_INTEGER, 0, MPI_COMM_WORLD ERR)
  call check(i == 7)
  call MPI_Gather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 1, MPI_COMM_WORLD ERR)
  if (rank == 1) call check(all(3) == 3)
  if (rank == 1) then
    all(2) = 2
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, 1, MPI_COMM_WORLD ERR)
  else
    call MPI_Gather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 1, MPI_COMM_WORLD ERR)
  end if
  call MPI_Gatherv(mine, 1, MPI_INTEGER, all, counts, displacements, MPI_INTEGER, 0, MPI_COMM_WORLD ERR)
  if (rank == 0) then
    call MPI_Scatter(all, 1, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD ERR)
  else
    call MPI_Scatter(all, 1, MPI_INTEGER, i, 1, MPI_INTEGER, 0, MPI_COMM_WORLD ERR)
    call check(i == rank + 1)
  end if
  call MPI_Scatterv(all, counts, displacements, MPI_INTEGER, i, 1, MPI_INTEGER, 0, MPI_COMM_WORLD ERR)
  call MPI_Allgather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD ERR)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD ERR)
  call check(all(1) == 1 .and. all(3) == 3)
  call MPI_Allgatherv(mine, 1, MPI_INTEGER, all, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD ERR)
  call MPI_Alltoall(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD ERR)
  call MPI_Alltoallv(mine, counts, displacements, MPI_INTEGER, all, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD ERR)
  types = MPI_INTEGER
  call MPI_Alltoallw(mine, counts, 4 * displacements, types, all, counts, 4 * displacements, types, MPI_COMM_WORLD ERR)
  call check(all(1) == 1 .and. all(3) == 3)
  call MPI_Reduce(mine, all, 3, MPI_INTEGER, MPI_SUM, 2, MPI_COMM_WORLD ERR)
  if (rank == 2) call check(all(1) == 6)
  call MPI_Allreduce(MPI_IN_PLACE, mine, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)
  call check(mine(1) == 6)
  mine = rank + 1
  call MPI_Reduce_scatter(mine, i, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)
  call MPI_Reduce_scatter_block(mine, i, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)
  call check(i == 6)
  call MPI_Scan(mine, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)
  call MPI_Exscan(mine, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERR)

  call MPI_Op_create(maximum, .true., larger ERR)
  call MPI_Allreduce(mine, all, 3, MPI_INTEGER, larger, MPI_COMM_WORLD ERR)
  call check(all(2) == 3)
  call MPI_Op_free(larger ERR)

  call MPI_Get_address(matrix, address(1) ERR)
  call MPI_Type_create_struct(1, [9], address, [MPI_INTEGER], anywhere ERR)
  call MPI_Type_commit(anywhere ERR)
  matrix = rank
  call MPI_Bcast(MPI_BOTTOM, 1, anywhere, 2, MPI_COMM_WORLD ERR)
  call check(matrix(3, 3) == 2)
  call MPI_Type_free(anywhere ERR)

  call MPI_Ibarrier(MPI_COMM_WORLD, requests(1) ERR)
  call MPI_Iallreduce(MPI_IN_PLACE, mine, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2) ERR)
  call MPI_Iallgatherv(i, 1, MPI_INTEGER, all, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, requests(3) ERR)
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE ERR)
  call check(mine(1) == 6 .and. all(1) == 6)
  call MPI_Ibcast(i, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, requests(1) ERR)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE ERR)

  if (rank == 0) print *, 'collectives are right'
  call MPI_Finalize(ERR_ALONE)

contains

  subroutine check(is_right)
    logical, intent(in) :: is_right
    if (is_right) return
    print *, 'rank', rank, 'is wrong'
    call MPI_Abort(MPI_COMM_WORLD, 1 ERR)
  end subroutine check
end program collectives

#ifdef USE_F08
subroutine maximum(in, inout, n, datatype)
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  type(c_ptr), value :: in, inout
  integer :: n
  type(MPI_Datatype) :: datatype
  integer, pointer :: a(:), b(:)
  call c_f_pointer(in, a, [n])
  call c_f_pointer(inout, b, [n])
  b = max(a, b)
end subroutine maximum
#else
subroutine maximum(in, inout, n, datatype)
  implicit none
  integer :: n, datatype, in(n), inout(n)
  inout = max(in, inout)
end subroutine maximum
#endif
