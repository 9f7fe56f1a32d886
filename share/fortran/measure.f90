! SPDX-License-Identifier: BSD-3-Clause
!
! The user interface of Measure for Fortran, as measure.h for C (doc/user-api.md). Compile it into the program
! together with measure_fortran.c, with the program's own compilers; nothing is linked. If the program runs
! without `measure`, each call is that of a small function and one test.
!
! Names are strings. Names that are used very often can have a handle, which saves the look-up:
!
!       type(measure_handle), save :: solve
!       call measure_region_begin(solve, "solve")
!       ...
!       call measure_region_end(solve)
module measure
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: measure_handle
  public :: measure_region_begin, measure_region_end, measure_phase_begin, measure_phase_end
  public :: measure_iteration_begin, measure_iteration_end
  public :: measure_parameter, measure_metric, measure_marker
  public :: measure_recording, measure_recording_off, measure_recording_on, measure_flush
  public :: measure_snapshot, measure_cartesian
  public :: measure_task_create, measure_task_access, measure_task_dependence, measure_task_ready
  public :: measure_task_begin, measure_task_end
  public :: measure_task_send, measure_task_receive, measure_task_complete
  public :: measure_data_register, measure_data_unregister, measure_worker

  !> Severity of a marker.
  integer(c_int), parameter, public :: measure_severity_none = 0, measure_severity_low = 1
  integer(c_int), parameter, public :: measure_severity_medium = 2, measure_severity_high = 3

  !> How a task accesses data.
  integer(c_int), parameter, public :: measure_access_r = 0, measure_access_w = 1, measure_access_rw = 2
  integer(c_int), parameter, public :: measure_access_mutexinoutset = 3, measure_access_inoutset = 4

  !> Handle of a region; give it the attribute save.
  type :: measure_handle
     private
     type(c_ptr) :: site = c_null_ptr
  end type measure_handle

  ! struct measure_task_info of measure.h.
  type, bind(c) :: task_info
     integer(c_int32_t) :: fields = 0, reserved = 0
     integer(c_int64_t) :: iteration = 0, tag = 0
     real(c_double) :: flops = 0
     integer(c_int64_t) :: footprint = 0, priority = 0, subiteration = 0
  end type task_info

  ! Numbers of measure.h. Parameters and metrics with one name and two types are different ones.
  integer(c_int), parameter :: region = 0, phase = 2, loop = 3, task = 4
  integer(c_int), parameter :: parameter_int64 = 5, parameter_double = 21, parameter_string = 37
  integer(c_int), parameter :: metric_int64 = 6, metric_double = 22

  interface measure_region_begin
     procedure region_begin_name, region_begin_handle
  end interface measure_region_begin

  interface measure_region_end
     procedure region_end_name, region_end_handle
  end interface measure_region_end

  !> A value of the innermost open region: (name, value).
  interface measure_parameter
     procedure parameter_of_int32, parameter_of_int64, parameter_of_double, parameter_of_string
  end interface measure_parameter

  !> A value over time: (name, unit, value).
  interface measure_metric
     procedure metric_of_int32, metric_of_int64, metric_of_double
  end interface measure_metric

  !> Data is an address, as returned by c_loc(), or a number that measure_data_register() returned.
  interface measure_task_access
     subroutine access_address(number, access, data) bind(c, name="measure_fortran_task_access")
       import
       integer(c_int64_t), value :: number
       integer(c_int), value :: access
       type(c_ptr), value :: data
     end subroutine access_address
     subroutine access_data(number, access, data) bind(c, name="measure_fortran_task_access_data")
       import
       integer(c_int64_t), value :: number
       integer(c_int), value :: access
       integer(c_int64_t), value :: data
     end subroutine access_data
  end interface measure_task_access

  interface
     type(c_ptr) function c_find(name, length, kind) bind(c, name="measure_fortran_find")
       import
       character(kind=c_char), intent(in) :: name(*)
       integer(c_int), value :: length, kind
     end function c_find
     subroutine c_begin(site) bind(c, name="measure_fortran_begin")
       import
       type(c_ptr), value :: site
     end subroutine c_begin
     subroutine c_end(site) bind(c, name="measure_fortran_end")
       import
       type(c_ptr), value :: site
     end subroutine c_end
     subroutine c_phase_end(site) bind(c, name="measure_fortran_phase_end")
       import
       type(c_ptr), value :: site
     end subroutine c_phase_end
     subroutine c_iteration(site, number) bind(c, name="measure_fortran_iteration")
       import
       type(c_ptr), value :: site
       integer(c_int64_t), value :: number
     end subroutine c_iteration
     subroutine c_int64(site, number) bind(c, name="measure_fortran_int64")
       import
       type(c_ptr), value :: site
       integer(c_int64_t), value :: number
     end subroutine c_int64
     subroutine c_double_value(site, number) bind(c, name="measure_fortran_double")
       import
       type(c_ptr), value :: site
       real(c_double), value :: number
     end subroutine c_double_value
     subroutine c_string(site, text, length) bind(c, name="measure_fortran_string")
       import
       type(c_ptr), value :: site
       character(kind=c_char), intent(in) :: text(*)
       integer(c_int), value :: length
     end subroutine c_string
     subroutine c_metric_int64(site, unit, length, number) bind(c, name="measure_fortran_metric_int64")
       import
       type(c_ptr), value :: site
       character(kind=c_char), intent(in) :: unit(*)
       integer(c_int), value :: length
       integer(c_int64_t), value :: number
     end subroutine c_metric_int64
     subroutine c_metric_double(site, unit, length, number) bind(c, name="measure_fortran_metric_double")
       import
       type(c_ptr), value :: site
       character(kind=c_char), intent(in) :: unit(*)
       integer(c_int), value :: length
       real(c_double), value :: number
     end subroutine c_metric_double
     subroutine c_marker(category, category_length, text, length, severity) &
          bind(c, name="measure_fortran_marker")
       import
       character(kind=c_char), intent(in) :: category(*), text(*)
       integer(c_int), value :: category_length, length, severity
     end subroutine c_marker
     subroutine c_switch(is_on) bind(c, name="measure_fortran_switch")
       import
       integer(c_int), value :: is_on
     end subroutine c_switch
     integer(c_int) function c_recording() bind(c, name="measure_fortran_recording")
       import
     end function c_recording
     subroutine measure_flush() bind(c, name="measure_fortran_flush")
     end subroutine measure_flush
     subroutine measure_snapshot() bind(c, name="measure_fortran_snapshot")
     end subroutine measure_snapshot
     subroutine c_cartesian(name, length, nr, sizes, are_periodic, coordinates) &
          bind(c, name="measure_fortran_cartesian")
       import
       character(kind=c_char), intent(in) :: name(*)
       integer(c_int), value :: length, nr
       integer(c_int32_t), intent(in) :: sizes(*), are_periodic(*), coordinates(*)
     end subroutine c_cartesian
     integer(c_int64_t) function c_task_create(site, info) bind(c, name="measure_fortran_task_create")
       import
       type(c_ptr), value :: site
       type(task_info), intent(in) :: info
     end function c_task_create
     subroutine measure_task_send(number, rank) bind(c, name="measure_fortran_task_send")
       import
       integer(c_int64_t), value :: number
       integer(c_int), value :: rank
     end subroutine measure_task_send
     subroutine measure_task_receive(number, rank) bind(c, name="measure_fortran_task_receive")
       import
       integer(c_int64_t), value :: number
       integer(c_int), value :: rank
     end subroutine measure_task_receive
     subroutine measure_task_complete(number) bind(c, name="measure_fortran_task_complete")
       import
       integer(c_int64_t), value :: number
     end subroutine measure_task_complete
     integer(c_int64_t) function c_data_register(name, length, bytes, coordinates, nr) &
          bind(c, name="measure_fortran_data_register")
       import
       character(kind=c_char), intent(in) :: name(*)
       integer(c_int), value :: length, nr
       integer(c_int64_t), value :: bytes
       integer(c_int64_t), intent(in) :: coordinates(*)
     end function c_data_register
     subroutine measure_data_unregister(data) bind(c, name="measure_fortran_data_unregister")
       import
       integer(c_int64_t), value :: data
     end subroutine measure_data_unregister
     subroutine c_worker(number, class_name, length) bind(c, name="measure_fortran_worker")
       import
       integer(c_int), value :: number, length
       character(kind=c_char), intent(in) :: class_name(*)
     end subroutine c_worker
     subroutine measure_task_dependence(number, before) bind(c, name="measure_fortran_task_dependence")
       import
       integer(c_int64_t), value :: number, before
     end subroutine measure_task_dependence
     subroutine measure_task_ready(number) bind(c, name="measure_fortran_task_ready")
       import
       integer(c_int64_t), value :: number
     end subroutine measure_task_ready
     subroutine c_task_begin(site, number) bind(c, name="measure_fortran_task_begin")
       import
       type(c_ptr), value :: site
       integer(c_int64_t), value :: number
     end subroutine c_task_begin
     subroutine c_task_end(site, number) bind(c, name="measure_fortran_task_end")
       import
       type(c_ptr), value :: site
       integer(c_int64_t), value :: number
     end subroutine c_task_end
  end interface

contains

  type(c_ptr) function find(name, kind)
    character(len=*), intent(in) :: name
    integer(c_int), intent(in) :: kind

    find = c_find(name, len(name, c_int), kind)
  end function find

  subroutine region_begin_name(name)
    character(len=*), intent(in) :: name

    call c_begin(find(name, region))
  end subroutine region_begin_name

  subroutine region_begin_handle(handle, name)
    type(measure_handle), intent(inout) :: handle
    character(len=*), intent(in) :: name

    if (.not. c_associated(handle%site)) handle%site = find(name, region)
    call c_begin(handle%site)
  end subroutine region_begin_handle

  subroutine region_end_name(name)
    character(len=*), intent(in) :: name

    call c_end(find(name, region))
  end subroutine region_end_name

  subroutine region_end_handle(handle)
    type(measure_handle), intent(in) :: handle

    call c_end(handle%site)
  end subroutine region_end_handle

  subroutine measure_phase_begin(name)
    character(len=*), intent(in) :: name

    call c_begin(find(name, phase))
  end subroutine measure_phase_begin

  subroutine measure_phase_end(name)
    character(len=*), intent(in) :: name

    call c_phase_end(find(name, phase))
  end subroutine measure_phase_end

  subroutine measure_iteration_begin(name, number)
    character(len=*), intent(in) :: name
    integer, intent(in) :: number

    call c_iteration(find(name, loop), int(number, c_int64_t))
  end subroutine measure_iteration_begin

  subroutine measure_iteration_end(name)
    character(len=*), intent(in) :: name

    call c_end(find(name, loop))
  end subroutine measure_iteration_end

  subroutine parameter_of_int32(name, number)
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in) :: number

    call c_int64(find(name, parameter_int64), int(number, c_int64_t))
  end subroutine parameter_of_int32

  subroutine parameter_of_int64(name, number)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: number

    call c_int64(find(name, parameter_int64), number)
  end subroutine parameter_of_int64

  subroutine parameter_of_double(name, number)
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: number

    call c_double_value(find(name, parameter_double), number)
  end subroutine parameter_of_double

  subroutine parameter_of_string(name, text)
    character(len=*), intent(in) :: name, text

    call c_string(find(name, parameter_string), text, len(text, c_int))
  end subroutine parameter_of_string

  subroutine metric_of_int32(name, unit, number)
    character(len=*), intent(in) :: name, unit
    integer(c_int32_t), intent(in) :: number

    call metric_of_int64(name, unit, int(number, c_int64_t))
  end subroutine metric_of_int32

  subroutine metric_of_int64(name, unit, number)
    character(len=*), intent(in) :: name, unit
    integer(c_int64_t), intent(in) :: number

    call c_metric_int64(find(name, metric_int64), unit, len(unit, c_int), number)
  end subroutine metric_of_int64

  subroutine metric_of_double(name, unit, number)
    character(len=*), intent(in) :: name, unit
    real(c_double), intent(in) :: number

    call c_metric_double(find(name, metric_double), unit, len(unit, c_int), number)
  end subroutine metric_of_double

  subroutine measure_marker(category, text, severity)
    character(len=*), intent(in) :: category, text
    integer(c_int), intent(in) :: severity

    call c_marker(category, len(category, c_int), text, len(text, c_int), severity)
  end subroutine measure_marker

  subroutine measure_recording_off()
    call c_switch(0_c_int)
  end subroutine measure_recording_off

  subroutine measure_recording_on()
    call c_switch(1_c_int)
  end subroutine measure_recording_on

  logical function measure_recording()
    measure_recording = c_recording() /= 0
  end function measure_recording

  !> Coordinates start at 0.
  subroutine measure_cartesian(name, sizes, are_periodic, coordinates)
    character(len=*), intent(in) :: name
    integer, intent(in) :: sizes(:), coordinates(:)
    logical, intent(in) :: are_periodic(:)

    if (size(are_periodic) /= size(sizes) .or. size(coordinates) /= size(sizes)) return
    call c_cartesian(name, len(name, c_int), int(size(sizes), c_int), int(sizes, c_int32_t), &
         int(merge(1, 0, are_periodic), c_int32_t), int(coordinates, c_int32_t))
  end subroutine measure_cartesian

  !> Creates a task of this kind; returns 0 without Measure.
  integer(c_int64_t) function measure_task_create(name, iteration, tag, flops, priority, subiteration)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), optional :: iteration, tag, priority, subiteration
    real(c_double), intent(in), optional :: flops
    type(task_info) :: info

    if (present(iteration)) then
       info%iteration = iteration
       info%fields = ior(info%fields, 1)
    end if
    if (present(tag)) then
       info%tag = tag
       info%fields = ior(info%fields, 2)
    end if
    if (present(flops)) then
       info%flops = flops
       info%fields = ior(info%fields, 4)
    end if
    if (present(priority)) then
       info%priority = priority
       info%fields = ior(info%fields, 16)
    end if
    if (present(subiteration)) then
       info%subiteration = subiteration
       info%fields = ior(info%fields, 32)
    end if
    measure_task_create = c_task_create(find(name, task), info)
  end function measure_task_create

  !> Data that tasks access; returns 0 without Measure.
  integer(c_int64_t) function measure_data_register(name, bytes, coordinates)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in), optional :: bytes, coordinates(:)
    integer(c_int64_t) :: known_bytes
    integer(c_int64_t), allocatable :: place(:)

    known_bytes = -1
    if (present(bytes)) known_bytes = bytes
    allocate(place(0))
    if (present(coordinates)) place = coordinates
    measure_data_register = c_data_register(name, len(name, c_int), known_bytes, place, size(place, kind=c_int))
  end function measure_data_register

  !> The calling thread is a worker of this class, such as "CPU".
  subroutine measure_worker(number, class_name)
    integer, intent(in) :: number
    character(len=*), intent(in) :: class_name

    call c_worker(int(number, c_int), class_name, len(class_name, c_int))
  end subroutine measure_worker

  subroutine measure_task_begin(name, number)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: number

    call c_task_begin(find(name, task), number)
  end subroutine measure_task_begin

  subroutine measure_task_end(name, number)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: number

    call c_task_end(find(name, task), number)
  end subroutine measure_task_end
end module measure
