! SPDX-License-Identifier: BSD-3-Clause
!
! Example: a Fortran program with annotations by `use measure`. Two files of Measure are compiled with it. The
! same executable runs with and without Measure:
!
!       cc -c $(pkg-config --cflags measure) $(pkg-config --variable=fortran_c measure)
!       gfortran $(pkg-config --variable=fortran_module measure) annotated.f90 measure_fortran.o
!       ./a.out
!       measure ./a.out
program annotated
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_loc, c_double, c_sizeof
  use measure
  implicit none
  type(measure_handle), save :: update
  integer(c_int64_t) :: number, data
  integer :: i, k
  real(c_double), target :: field(64), change

  call measure_phase_begin("set up")
  call measure_cartesian("rod", [1], [.false.], [0])
  call measure_parameter("size", size(field))
  call measure_parameter("tolerance", 1d-3)
  call measure_parameter("method", "Jacobi")
  field = 0
  field(1) = 1
  call measure_phase_end("set up")

  call measure_phase_begin("solve")
  do i = 1, 50
     call measure_iteration_begin("sweep", i)
     change = 0
     call measure_region_begin(update, "update")
     do k = 2, size(field) - 1
        change = max(change, abs((field(k - 1) + field(k + 1)) / 2 - field(k)))
        field(k) = (field(k - 1) + field(k + 1)) / 2
     end do
     call measure_region_end(update)
     call measure_metric("change", "K", change)
     call measure_iteration_end("sweep")
  end do
  call measure_marker("solver", "done", measure_severity_low)
  call measure_phase_end("solve")

  call measure_worker(0, "CPU")
  data = measure_data_register("field", bytes=int(c_sizeof(field), c_int64_t), coordinates=[0_c_int64_t])
  number = measure_task_create("sum", iteration=1_c_int64_t, flops=63d0)
  call measure_task_access(number, measure_access_r, data)
  call measure_task_access(number, measure_access_w, c_loc(change))
  call measure_task_ready(number)
  call measure_task_begin("sum", number)
  change = sum(field)
  call measure_task_end("sum", number)
  call measure_data_unregister(data)
  print '(a, f8.4)', "sum ", change
end program annotated
