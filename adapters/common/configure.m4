# SPDX-License-Identifier: BSD-3-Clause
# Tells whose code calls without waiting for the loader (glibc 2.35).
AC_CHECK_FUNCS([_dl_find_object])
