/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a process has ended that is nobody's child here. */
#ifndef MEASURE_KEEPER_PROCESS_EXIT_STATUS_H
#define MEASURE_KEEPER_PROCESS_EXIT_STATUS_H

#include <stdbool.h>
#include <sys/types.h>

/* *status: as waitpid() tells it. To be asked as soon as the pidfd says that it has ended: before
 * Linux 6.15 it is known only until somebody has waited for it. */
bool measure_exit_status_ask(pid_t pid, int pidfd, int *status);

#endif
