! SPDX-License-Identifier: BSD-3-Clause
! Procedures of a module, contained ones, and one outside of any module, for filters to tell apart.
module heat
contains
	subroutine step(x)
		real, intent(inout) :: x
		call relax(x)
	contains
		subroutine relax(y)
			real, intent(inout) :: y
			y = y / 2
		end subroutine
	end subroutine
end module

subroutine alone(x)
	real, intent(inout) :: x
	x = x + 1
end subroutine

program filtered
	use heat
	real :: x = 8
	call step(x)
	call alone(x)
	print *, nint(x)
end program
