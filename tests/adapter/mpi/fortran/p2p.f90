! SPDX-License-Identifier: BSD-3-Clause
! Messages of every kind, and how they are waited for.
! Ranks: 2
program p2p
#include "binding.inc"
  integer :: rank, other, i, index, outcount
  integer :: mine(4), theirs(4), indices(2)
  integer(kind=MPI_ADDRESS_KIND) :: address(1)
  character :: buffer(1000)
  logical :: flag, flags(2)
  ADDRESS :: detached
  DATATYPE :: anywhere, oldtypes(1)
  MESSAGE :: message
  REQUEST :: request, requests(2)
  STATUS(status)
  STATUSES(statuses, 2)

  call MPI_Init(ERR_ALONE)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERR)
  other = 1 - rank
  mine = [(10 * rank + i, i = 1, 4)]

  ! Blocking: of any kind, from anywhere, to nowhere, and both ways at once.
  if (rank == 0) then
    call MPI_Send(mine, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD ERR)
    call MPI_Ssend(mine, 3, MPI_INTEGER, 1, 2, MPI_COMM_WORLD ERR)
    call MPI_Buffer_attach(buffer, 1000 ERR)
    call MPI_Bsend(mine, 2, MPI_INTEGER, 1, 3, MPI_COMM_WORLD ERR)
    call MPI_Buffer_detach(detached, i ERR)
    call check(i == 1000)
    call MPI_Send(mine, 0, MPI_INTEGER, 1, 4, MPI_COMM_WORLD ERR)
  else
    call MPI_Recv(theirs, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status ERR)
    call check(SOURCE_OF(status) == 0 .and. TAG_OF(status) == 1 .and. theirs(4) == 4)
    call MPI_Get_count(status, MPI_INTEGER, i ERR)
    call check(i == 4)
    call MPI_Recv(theirs, 4, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
    call MPI_Probe(0, 3, MPI_COMM_WORLD, status ERR)
    call MPI_Recv(theirs, 4, MPI_INTEGER, SOURCE_OF(status), 3, MPI_COMM_WORLD, status ERR)
    call MPI_Mprobe(0, 4, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE ERR)
    call MPI_Mrecv(theirs, 4, MPI_INTEGER, message, status ERR)
  end if
  call MPI_Send(mine, 4, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD ERR)
  call MPI_Sendrecv(mine, 4, MPI_INTEGER, other, 5, theirs, 4, MPI_INTEGER, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERR)
  call check(theirs(1) == 10 * other + 1)
  call MPI_Sendrecv_replace(theirs, 4, MPI_INTEGER, other, 6, other, 6, MPI_COMM_WORLD, status ERR)
  call check(theirs(1) == mine(1))

  ! Nonblocking.
  call MPI_Irecv(theirs, 4, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, requests(1) ERR)
  call MPI_Isend(mine, 4, MPI_INTEGER, other, 7, MPI_COMM_WORLD, requests(2) ERR)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE ERR)
  call check(theirs(4) == 10 * other + 4)
  call MPI_Irecv(theirs, 4, MPI_INTEGER, other, 8, MPI_COMM_WORLD, requests(1) ERR)
  call MPI_Issend(mine, 3, MPI_INTEGER, other, 8, MPI_COMM_WORLD, requests(2) ERR)
  call MPI_Waitall(2, requests, statuses ERR)
  call MPI_Irecv(theirs, 4, MPI_INTEGER, other, 9, MPI_COMM_WORLD, request ERR)
  call MPI_Send(mine, 2, MPI_INTEGER, other, 9, MPI_COMM_WORLD ERR)
  call MPI_Wait(request, status ERR)
  call check(TAG_OF(status) == 9)
  call MPI_Irecv(theirs, 4, MPI_INTEGER, other, 10, MPI_COMM_WORLD, requests(1) ERR)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Send(mine, 1, MPI_INTEGER, other, 10, MPI_COMM_WORLD ERR)
  call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE ERR)
  call check(index <= 1) ! MPICH 4.0 counts from 0 in mpi_f08
  call MPI_Irecv(theirs, 4, MPI_INTEGER, other, 11, MPI_COMM_WORLD, requests(1) ERR)
  call MPI_Send(mine, 1, MPI_INTEGER, other, 11, MPI_COMM_WORLD ERR)
  call MPI_Waitsome(2, requests, outcount, indices, MPI_STATUSES_IGNORE ERR)
  call check(outcount == 1 .and. indices(1) <= 1)
  call MPI_Irecv(theirs, 4, MPI_INTEGER, other, 12, MPI_COMM_WORLD, request ERR)
  call MPI_Send(mine, 1, MPI_INTEGER, other, 12, MPI_COMM_WORLD ERR)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(request, flag, MPI_STATUS_IGNORE ERR)
  end do
  call MPI_Irecv(theirs, 4, MPI_INTEGER, MPI_PROC_NULL, 12, MPI_COMM_WORLD, request ERR)
  call MPI_Cancel(request ERR)
  call MPI_Wait(request, status ERR)
  call MPI_Irecv(theirs, 4, MPI_INTEGER, other, 99, MPI_COMM_WORLD, request ERR)
  call MPI_Cancel(request ERR)
  call MPI_Wait(request, status ERR)
  call MPI_Test_cancelled(status, flags(1) ERR)
  call check(flags(1))

  ! Persistent.
  call MPI_Recv_init(theirs, 4, MPI_INTEGER, other, 13, MPI_COMM_WORLD, requests(1) ERR)
  call MPI_Send_init(mine, 4, MPI_INTEGER, other, 13, MPI_COMM_WORLD, requests(2) ERR)
  do i = 1, 2
    call MPI_Startall(2, requests ERR)
    call MPI_Waitall(2, requests, statuses ERR)
  end do
  call MPI_Start(requests(1) ERR)
  call MPI_Send(mine, 4, MPI_INTEGER, other, 13, MPI_COMM_WORLD ERR)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE ERR)
  call MPI_Request_free(requests(1) ERR)
  call MPI_Request_free(requests(2) ERR)

  ! From an address that no argument tells.
  call MPI_Get_address(mine, address(1) ERR)
  oldtypes(1) = MPI_INTEGER
  call MPI_Type_create_struct(1, [4], address, oldtypes, anywhere ERR)
  call MPI_Type_commit(anywhere ERR)
  call MPI_Isend(MPI_BOTTOM, 1, anywhere, other, 14, MPI_COMM_WORLD, request ERR)
  call MPI_Recv(theirs, 4, MPI_INTEGER, other, 14, MPI_COMM_WORLD, status ERR)
  call MPI_Wait(request, MPI_STATUS_IGNORE ERR)
  call check(theirs(4) == 10 * other + 4)
  call MPI_Type_free(anywhere ERR)

  if (rank == 0) print *, 'messages are right'
  call MPI_Finalize(ERR_ALONE)

contains

  subroutine check(is_right)
    logical, intent(in) :: is_right
    if (is_right) return
    print *, 'rank', rank, 'is wrong'
    call MPI_Abort(MPI_COMM_WORLD, 1 ERR)
  end subroutine check
end program p2p
