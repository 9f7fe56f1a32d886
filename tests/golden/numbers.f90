! SPDX-License-Identifier: BSD-3-Clause
! A module, a recursive function, a contained subroutine.
module numbers
  implicit none
contains
  recursive integer function fibonacci(n) result(value)
    integer, intent(in) :: n
    if (n < 2) then
      value = n
    else
      value = fibonacci(n - 1) + fibonacci(n - 2)
    end if
  end function fibonacci
end module numbers

program sums
  use numbers
  implicit none
  call show(fibonacci(3))
contains
  subroutine show(n)
    integer, intent(in) :: n
    print *, n
  end subroutine show
end program sums
