! SPDX-License-Identifier: BSD-3-Clause
! Communicators of every kind, their names, a topology with logicals.
! Ranks: 4
program comms
#include "binding.inc"
  integer :: rank, i, sizes(2), place(2), length
  logical :: periodic(2), wrapped(2)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  COMM :: copy, half, first, grid, row, made, other, both
  GROUP :: world, few
  REQUEST :: request

  call MPI_Init(ERR_ALONE)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERR)

  call MPI_Comm_dup(MPI_COMM_WORLD, copy ERR)
  call MPI_Comm_set_name(copy, 'a copy, with blanks behind   ' ERR)
  call MPI_Comm_get_name(copy, name, length ERR)
  call check(name == 'a copy, with blanks behind')
  call MPI_Barrier(copy ERR)
  call MPI_Comm_split(copy, mod(rank, 2), -rank, half ERR)
  call MPI_Comm_rank(half, i ERR)
  call check(i == 1 - rank / 2)
  call MPI_Allreduce(MPI_IN_PLACE, i, 1, MPI_INTEGER, MPI_SUM, half ERR)
  call MPI_Comm_split(copy, merge(MPI_UNDEFINED, 0, rank == 0), 0, made ERR)
  call check((made == MPI_COMM_NULL) .eqv. rank == 0)
  if (rank /= 0) call MPI_Comm_free(made ERR)

  call MPI_Comm_group(MPI_COMM_WORLD, world ERR)
  call MPI_Group_incl(world, 2, [3, 1], few ERR)
  call MPI_Comm_create(MPI_COMM_WORLD, few, first ERR)
  if (mod(rank, 2) == 1) then
    call MPI_Barrier(first ERR)
    call MPI_Comm_free(first ERR)
    call MPI_Comm_create_group(MPI_COMM_WORLD, few, 5, first ERR)
    call MPI_Barrier(first ERR)
    call MPI_Comm_free(first ERR)
  end if
  call MPI_Group_free(few ERR)
  call MPI_Group_free(world ERR)

  call MPI_Comm_idup(copy, made, request ERR)
  call MPI_Wait(request, MPI_STATUS_IGNORE ERR)
  call MPI_Barrier(made ERR)
  call MPI_Comm_free(made ERR)

  call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 2], [.true., .false.], .false., grid ERR)
  call MPI_Cart_get(grid, 2, sizes, periodic, place ERR)
  call check(periodic(1) .and. .not. periodic(2))
  call MPI_Cart_coords(grid, rank, 2, place ERR)
  call MPI_Cart_rank(grid, place, i ERR)
  call check(i == rank)
  call MPI_Cart_sub(grid, [.false., .true.], row ERR)
  call MPI_Bcast(i, 1, MPI_INTEGER, 0, row ERR)
  call MPI_Comm_free(row ERR)
  call MPI_Comm_free(grid ERR)

  call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 3 - mod(rank, 2), 6, other ERR)
  call MPI_Comm_test_inter(other, wrapped(1) ERR)
  call check(wrapped(1))
  call MPI_Intercomm_merge(other, mod(rank, 2) == 1, both ERR)
  call MPI_Barrier(both ERR)
  call MPI_Comm_free(both ERR)
  call MPI_Comm_free(other ERR)
  call MPI_Comm_free(half ERR)
  call MPI_Comm_free(copy ERR)

  if (rank == 0) print *, 'communicators are right'
  call MPI_Finalize(ERR_ALONE)

contains

  subroutine check(is_right)
    logical, intent(in) :: is_right
    if (is_right) return
    print *, 'rank', rank, 'is wrong'
    call MPI_Abort(MPI_COMM_WORLD, 1 ERR)
  end subroutine check
end program comms
