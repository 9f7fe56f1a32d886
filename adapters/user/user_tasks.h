/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of the program's own run-time. */
#ifndef MEASURE_USER_TASKS_H
#define MEASURE_USER_TASKS_H

/* The calling thread is about to be gone. */
void measure_user_tasks_end(void);

#endif
