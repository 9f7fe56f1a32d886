# SPDX-License-Identifier: BSD-3-Clause
# The MPI adapter is built for one MPI library: the one of MPICC or, without that, of the mpicc that
# is found first.
AC_ARG_WITH([mpi], [AS_HELP_STRING([--without-mpi], [build without the MPI adapter])])
AC_ARG_VAR([MPICC], [compiler wrapper of the MPI library that the MPI adapter is for])
measure_mpicc=${MPICC:-mpicc mpicc.openmpi mpicc.mpich}
AS_CASE([$MPICC], [*/*], [], [MPICC=])
AC_PATH_PROGS([MPICC], [$measure_mpicc])
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

# What the wrapper gives to the compiler: Open MPI's says it in two parts, others' as one command.
# And the launcher of that library, which has the wrapper's name with "run" for "cc".
AM_COND_IF([HAVE_MPI], [
	AS_IF([measure_mpi_words=$($MPICC --showme:compile 2>/dev/null)],
		[MPI_CFLAGS=$measure_mpi_words
		MPI_LIBS=$($MPICC --showme:link 2>/dev/null)],
		[for word in $($MPICC -show 2>/dev/null); do
			AS_CASE([$word],
				[-I*|-D*], [MPI_CFLAGS="$MPI_CFLAGS $word"],
				[-L*|-l*|-Wl,*], [MPI_LIBS="$MPI_LIBS $word"])
		done])
	MPIRUN=$(printf '%s\n' "$MPICC" | sed 's,cc\(@<:@^/@:>@*\)$,run\1,')])

# MEASURE_CHECK_PMPI(HEADER, NAME): HAVE_NAME where the library has that function. A macro is none.
AC_DEFUN([MEASURE_CHECK_PMPI], [
	AC_MSG_CHECKING([for $2])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
		#include <$1>
		#undef $2]], [[void (*volatile call)(void) = (void (*)(void))&$2; (void)call;]])],
		[AC_MSG_RESULT([yes])
		AC_DEFINE([HAVE_$2], [1], [Define to 1 if the MPI library has the function $2.])],
		[AC_MSG_RESULT([no])])])
measure_saved_CFLAGS=$CFLAGS
measure_saved_LIBS=$LIBS
CFLAGS="$CFLAGS $MPI_CFLAGS"
LIBS="$LIBS $MPI_LIBS"
AC_CHECK_MEMBERS([MPI_Status._ucount], [], [], [[#include <mpi.h>]])
# One for each part of the tables that not every library has.
AM_COND_IF([HAVE_MPI], [
	m4_map_args_w([Aint_add Allreduce_init Comm_c2f Comm_idup_with_info Errhandler_set
			Info_create_env Isendrecv Psend_init Send_c Session_c2f Session_init Status_c2f08
			Type_struct T_event_read],
		[MEASURE_CHECK_PMPI([mpi.h], PMPI_], [)])
	MEASURE_CHECK_PMPI([mpi-ext.h], [PMPIX_Allreduce_init])
	# MPI 4.0 forgot that one const.
	measure_mpi_const=
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
		int MPI_Pready_list(int length, const int partitions[], MPI_Request request);]])],
		[measure_mpi_const=const])
	AC_DEFINE_UNQUOTED([MEASURE_MPI_CONST_LIST], [$measure_mpi_const],
		[Whether the list of MPI_Pready_list is const.])])
CFLAGS=$measure_saved_CFLAGS
LIBS=$measure_saved_LIBS
AC_DEFINE_UNQUOTED([MEASURE_MPI_SONAME], ["$measure_mpi_soname"],
	[Name of the MPI library that the MPI adapter is built for.])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPIRUN])
