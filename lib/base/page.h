/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sizes of pages of memory. */
#ifndef MEASURE_BASE_PAGE_H
#define MEASURE_BASE_PAGE_H

#include <stddef.h>
#include <unistd.h>

/* The largest that a kernel for this kind of processor may have: what gets a protection of its own,
 * or is advised about apart, begins and ends at multiples of it. arm64 has kernels with pages of 4,
 * 16 and 64 KiB, ppc64el with 4 and 64. */
#if defined(__x86_64__) || defined(__riscv)
#define MEASURE_LARGEST_PAGE 4096
#else
#define MEASURE_LARGEST_PAGE 65536
#endif

/* That of this kernel. */
static inline size_t measure_page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

#endif
