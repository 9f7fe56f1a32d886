! SPDX-License-Identifier: BSD-3-Clause
! Calls of all groups, each of which has to be seen once, and none that the bindings make for their
! own ends: attributes, error handlers, one-sided communication, a file, info, packing, times.
! Ranks: 2
! Groups: all
! Library: Open MPI
! MPICH's bindings call MPI functions, not PMPI functions, for their own ends.
! Records: enter
program calls
#include "binding.inc"
  integer :: rank, i, length, keyval, class, provided, position
  integer :: memory(4), values(4)
  integer(kind=MPI_ADDRESS_KIND) :: attribute, extra
  integer(kind=MPI_OFFSET_KIND) :: offset
  logical :: flag
  double precision :: start
  character(len=MPI_MAX_ERROR_STRING) :: text
  character(len=MPI_MAX_INFO_VAL) :: value
  character(len=100) :: packed
  character(len=*), parameter :: path = 'calls.data   '
  DATATYPE :: pair
  ERRHANDLER :: handler
  FILE_HANDLE :: file
  INFO :: settings
  WINDOW :: window
  STATUS(status)

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided ERR)
  call check(provided >= MPI_THREAD_SINGLE)
  call MPI_Initialized(flag ERR)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank ERR)
  call MPI_Comm_size(MPI_COMM_WORLD, i ERR)
  call check(flag .and. i == 2)
  start = MPI_Wtime()
  call check(start >= 0 .and. MPI_Wtick() > 0)
  call MPI_Pcontrol(1)
  call MPI_Get_processor_name(text, length ERR)
  call check(length > 0)

  extra = 3
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra ERR)
  attribute = 12
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, attribute ERR)
  attribute = 0
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, attribute, flag ERR)
  call check(flag .and. attribute == 12)
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval ERR)
  call MPI_Comm_free_keyval(keyval ERR)
  call MPI_Comm_get_errhandler(MPI_COMM_WORLD, handler ERR)
  call MPI_Errhandler_free(handler ERR)
  call MPI_Error_class(MPI_ERR_TRUNCATE, class ERR)
  call MPI_Error_string(class, text, length ERR)
  call check(index(text, 'TRUNC') > 0 .or. index(text, 'runc') > 0)

  call MPI_Info_create(settings ERR)
  call MPI_Info_set(settings, 'colour  ', 'light blue  ' ERR)
  call MPI_Info_get(settings, 'colour', MPI_MAX_INFO_VAL, value, flag ERR)
  call check(flag .and. value == 'light blue')
  call MPI_Info_free(settings ERR)

  call MPI_Type_contiguous(2, MPI_INTEGER, pair ERR)
  call MPI_Type_commit(pair ERR)
  call MPI_Type_size(pair, i ERR)
  call check(i == 8)
  call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, pair ERR)
  call MPI_Type_contiguous(2, MPI_INTEGER, pair ERR)
  call MPI_Type_free(pair ERR)
  values = [1, 2, 3, 4]
  position = 0
  call MPI_Pack(values, 4, MPI_INTEGER, packed, 100, position, MPI_COMM_WORLD ERR)
  call check(position == 16)

  memory = rank
  call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window ERR)
  call MPI_Win_fence(0, window ERR)
  call MPI_Put(values, 2, MPI_INTEGER, 1 - rank, 1_MPI_ADDRESS_KIND, 2, MPI_INTEGER, window ERR)
  call MPI_Win_fence(0, window ERR)
  call check(memory(1) == rank .and. memory(2) == 1 .and. memory(3) == 2)
  call MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, window ERR)
  call MPI_Get(i, 1, MPI_INTEGER, 1 - rank, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, window ERR)
  call MPI_Win_unlock(1 - rank, window ERR)
  call check(i == 1 - rank)
  call MPI_Win_free(window ERR)

  call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file ERR)
  offset = 16 * rank
  call MPI_File_write_at(file, offset, values, 4, MPI_INTEGER, status ERR)
  call MPI_File_sync(file ERR)
  call MPI_Barrier(MPI_COMM_WORLD ERR)
  offset = 16 * (1 - rank)
  memory = 0
  call MPI_File_read_at(file, offset, memory, 4, MPI_INTEGER, MPI_STATUS_IGNORE ERR)
  call check(memory(4) == 4)
  call MPI_File_close(file ERR)
  if (rank == 0) call MPI_File_delete(path, MPI_INFO_NULL ERR)

  call MPI_Allgatherv(i, 1, MPI_INTEGER, values, [1, 1], [0, 1], MPI_INTEGER, MPI_COMM_WORLD ERR)
  if (rank == 0) print *, 'calls are right'
  call MPI_Finalize(ERR_ALONE)

contains

  subroutine check(is_right)
    logical, intent(in) :: is_right
    if (is_right) return
    print *, 'rank', rank, 'is wrong'
    call MPI_Abort(MPI_COMM_WORLD, 1 ERR)
  end subroutine check
end program calls
