/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The exit status of a process that is not a child of this one. */
#ifndef MEASURE_KEEPER_PROCESS_EXIT_STATUS_H
#define MEASURE_KEEPER_PROCESS_EXIT_STATUS_H

#include <stdbool.h>
#include <sys/types.h>

/* *status: as waitpid() tells it. To be asked as soon as the pidfd says that it has ended: before
 * Linux 6.15 it is known only until somebody has waited for it. */
bool measure_exit_status_ask(pid_t pid, int pidfd, int *status);

#endif
