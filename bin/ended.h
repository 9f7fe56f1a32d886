/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a process has ended that is nobody's child here. */
#ifndef MEASURE_BIN_ENDED_H
#define MEASURE_BIN_ENDED_H

#include <stdbool.h>
#include <sys/types.h>

/* *status: as waitpid() tells it. To be asked as soon as the pidfd says that it has ended: before
 * Linux 6.15 it is known only until somebody has waited for it. */
bool measure_ended_as(pid_t pid, int pidfd, int *status);

#endif
