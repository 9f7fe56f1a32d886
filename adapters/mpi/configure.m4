# SPDX-License-Identifier: BSD-3-Clause
# The MPI adapter is built for the MPI library of MPICC or, without that, of the mpicc that is found
# first; and once more for that of OTHER_MPICC, so that one installation records programs of both.
AC_ARG_WITH([mpi], [AS_HELP_STRING([--without-mpi], [build without the MPI adapter])])
AC_ARG_VAR([MPICC], [compiler wrapper of the MPI library that the MPI adapter is for])
AC_ARG_VAR([OTHER_MPICC], [compiler wrapper of another MPI library, or no: the MPI adapter is built for that, too])

# MEASURE_FIND_MPI(NAME, WRAPPER): measure_NAME_soname, the library that a program of this wrapper asks
# for (empty: it does not work), and what the wrapper gives to the compiler: Open MPI's says it in two
# parts, others' as one command.
AC_DEFUN([MEASURE_FIND_MPI], [
	measure_saved_CC=$CC
	CC=$2
	AC_MSG_CHECKING([whether $2 compiles and links MPI programs])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[return PMPI_Finalize();]])],
		[AC_MSG_RESULT([yes])
		# The adapter compares at run time.
		measure_$1_soname=$(readelf -d conftest$EXEEXT |
			sed -n 's/.*(NEEDED).*\@<:@\(libmpi@<:@^@:>@@:>@*\)@:>@.*/\1/p' | sed 1q)],
		[AC_MSG_RESULT([no])])
	CC=$measure_saved_CC
	AS_IF([test -z "$measure_$1_soname"], [],
		[measure_mpi_words=$($2 --showme:compile 2>/dev/null)],
		[$1_CFLAGS=$measure_mpi_words
		$1_LIBS=$($2 --showme:link 2>/dev/null)],
		[for word in $($2 -show 2>/dev/null); do
			AS_CASE([$word],
				[-I*|-D*], [$1_CFLAGS="$$1_CFLAGS $word"],
				[-L*|-l*|-Wl,*], [$1_LIBS="$$1_LIBS $word"])
		done])])

# MEASURE_MPI_HAS(NAME, PART, PROGRAM): whether the library has that, if such a program is linked. Of
# the other library the answer is for other_mpi.h.
AC_DEFUN([MEASURE_MPI_HAS], [
	AC_MSG_CHECKING([for $2 ($measure_$1_soname)])
	m4_if([$1], [MPI], [], [AS_ECHO(["#undef HAVE_$2"]) >>conftest.mpi])
	AC_LINK_IFELSE([$3], [AC_MSG_RESULT([yes])
		m4_if([$1], [MPI],
			[AC_DEFINE([HAVE_$2], [1], [Define to 1 if the MPI library has $2.])],
			[AS_ECHO(["#define HAVE_$2 1"]) >>conftest.mpi])],
		[AC_MSG_RESULT([no])])])

# MEASURE_MPI_HAS_CALL(NAME, HEADER, CALL): a macro is none.
AC_DEFUN([MEASURE_MPI_HAS_CALL], [MEASURE_MPI_HAS([$1], [$3], [AC_LANG_PROGRAM([[#include <mpi.h>
	#include <$2>
	#undef $3]], [[void (*volatile call)(void) = (void (*)(void))&$3; (void)call;]])])])

# MEASURE_PROBE_MPI(NAME): one for each part of the tables that not every library has.
AC_DEFUN([MEASURE_PROBE_MPI], [
	measure_saved_CFLAGS=$CFLAGS
	measure_saved_LIBS=$LIBS
	CFLAGS="$CFLAGS $$1_CFLAGS"
	LIBS="$LIBS $$1_LIBS"
	m4_map_args_w([Aint_add Allreduce_init Comm_c2f Comm_idup_with_info Errhandler_set
			Info_create_env Isendrecv Psend_init Send_c Session_c2f Session_init Session_set_info
			Status_c2f08 Type_struct T_event_read],
		[MEASURE_MPI_HAS_CALL([$1], [mpi.h], PMPI_], [)])
	MEASURE_MPI_HAS_CALL([$1], [mpi-ext.h], [PMPIX_Allreduce_init])
	MEASURE_MPI_HAS([$1], [MPI_STATUS__UCOUNT], [AC_LANG_PROGRAM([[#include <mpi.h>]],
		[[MPI_Status status = {0}; return (int)status._ucount;]])])
	# MPI 4.0 forgot that one const.
	measure_$1_const=
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
		int MPI_Pready_list(int length, const int partitions[], MPI_Request request);]])],
		[measure_$1_const=const])
	CFLAGS=$measure_saved_CFLAGS
	LIBS=$measure_saved_LIBS])

measure_mpicc=${MPICC:-mpicc mpicc.openmpi mpicc.mpich}
AS_CASE([$MPICC], [*/*], [], [MPICC=])
AC_PATH_PROGS([MPICC], [$measure_mpicc])
measure_mpi_summary="no (mpicc not found)"
AS_IF([test "x$with_mpi" = xno], [measure_mpi_summary="no (--without-mpi)"],
	[test -n "$MPICC"],
	[MEASURE_FIND_MPI([MPI], [$MPICC])
	measure_mpi_summary="no ($MPICC does not work)"])
AS_IF([test -n "$measure_MPI_soname"],
	[measure_mpi_summary="yes ($MPICC)"
	# The launcher of that library has the wrapper's name with "run" for "cc".
	MPIRUN=$(printf '%s\n' "$MPICC" | sed 's,cc\(@<:@^/@:>@*\)$,run\1,')
	MEASURE_PROBE_MPI([MPI])])
AM_CONDITIONAL([HAVE_MPI], [test -n "$measure_MPI_soname"])
AC_DEFINE_UNQUOTED([MEASURE_MPI_SONAME], ["$measure_MPI_soname"],
	[Name of the MPI library that the MPI adapter is built for.])
AC_DEFINE_UNQUOTED([MEASURE_MPI_CONST_LIST], [$measure_MPI_const],
	[Whether the list of MPI_Pready_list is const.])

# Of Debian's two, the one that mpicc is not.
AS_IF([test -z "$measure_MPI_soname"], [OTHER_MPICC=no],
	[test -z "$OTHER_MPICC"],
	[AS_CASE([$measure_MPI_soname], [libmpich*], [measure_other=mpicc.openmpi], [measure_other=mpicc.mpich])
	AC_PATH_PROGS([OTHER_MPICC], [$measure_other], [no])])
AS_IF([test "x$OTHER_MPICC" != xno],
	[MEASURE_FIND_MPI([OTHER_MPI], [$OTHER_MPICC])
	AS_IF([test -z "$measure_OTHER_MPI_soname"],
		[AC_MSG_WARN([$OTHER_MPICC does not work: programs of one MPI library only are recorded])],
		[test "$measure_OTHER_MPI_soname" = "$measure_MPI_soname"],
		[AC_MSG_NOTICE([$OTHER_MPICC is for $measure_MPI_soname, too])
		measure_OTHER_MPI_soname=])])
AS_IF([test -n "$measure_OTHER_MPI_soname"],
	[measure_mpi_summary="$measure_mpi_summary, and another ($OTHER_MPICC)"
	AS_ECHO(["/* Made by configure: $OTHER_MPICC */"]) >conftest.mpi
	MEASURE_PROBE_MPI([OTHER_MPI])
	AS_ECHO(["#undef MEASURE_MPI_SONAME
@%:@define MEASURE_MPI_SONAME MEASURE_OTHER_MPI_SONAME
@%:@undef MEASURE_MPI_CONST_LIST
@%:@define MEASURE_MPI_CONST_LIST $measure_OTHER_MPI_const"]) >>conftest.mpi
	AS_MKDIR_P([adapters/mpi])
	cmp -s conftest.mpi adapters/mpi/other_mpi.h || mv conftest.mpi adapters/mpi/other_mpi.h])
AM_CONDITIONAL([HAVE_OTHER_MPI], [test -n "$measure_OTHER_MPI_soname"])
AC_DEFINE_UNQUOTED([MEASURE_OTHER_MPI_SONAME], ["$measure_OTHER_MPI_soname"],
	[Name of the other MPI library that it is built for; empty: there is none.])
AH_BOTTOM([#ifdef MEASURE_FOR_OTHER_MPI
#include "adapters/mpi/other_mpi.h"
#endif])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AC_SUBST([MPIRUN])
AC_SUBST([OTHER_MPI_CFLAGS])
