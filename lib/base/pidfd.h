/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A descriptor that becomes readable when a process ends. glibc has a function for it only
 * since 2.36. */
#ifndef MEASURE_BASE_PIDFD_H
#define MEASURE_BASE_PIDFD_H

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

/* -1 where the kernel has none (before Linux 5.3). Close-on-exec. */
static inline int measure_pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

#endif
