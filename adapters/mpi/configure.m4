# SPDX-License-Identifier: BSD-3-Clause
# The MPI adapter is built for one MPI library: the one whose mpicc is found first.
AC_ARG_WITH([mpi], [AS_HELP_STRING([--without-mpi], [build without the MPI adapter])])
AC_PATH_PROGS([MPICC], [mpicc mpicc.openmpi])
measure_mpi_summary="no (mpicc not found)"
AS_IF([test "x$with_mpi" = xno], [measure_mpi_summary="no (--without-mpi)"],
	[test -n "$MPICC"],
	[measure_saved_CC=$CC
	CC=$MPICC
	AC_MSG_CHECKING([whether $MPICC compiles and links MPI programs])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[return PMPI_Finalize();]])],
		[AC_MSG_RESULT([yes]); measure_mpi_summary="yes ($MPICC)"
		# The library a program of this MPI asks for; the adapter compares at run time.
		measure_mpi_soname=$(readelf -d conftest$EXEEXT |
			sed -n 's/.*(NEEDED).*\@<:@\(libmpi@<:@^@:>@@:>@*\)@:>@.*/\1/p' | sed 1q)],
		[AC_MSG_RESULT([no]); measure_mpi_summary="no ($MPICC does not work)"])
	CC=$measure_saved_CC])
AM_CONDITIONAL([HAVE_MPI], [case $measure_mpi_summary in yes*) true;; *) false;; esac])
AM_COND_IF([HAVE_MPI], [
	MPI_CFLAGS=$($MPICC --showme:compile 2>/dev/null)
	MPI_LIBS=$($MPICC --showme:link 2>/dev/null)])
measure_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $MPI_CFLAGS"
AC_CHECK_MEMBERS([MPI_Status._ucount], [], [], [[#include <mpi.h>]])
CFLAGS=$measure_saved_CFLAGS
AC_DEFINE_UNQUOTED([MEASURE_MPI_SONAME], ["$measure_mpi_soname"],
	[Name of the MPI library that the MPI adapter is built for.])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
