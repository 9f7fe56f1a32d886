/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Progress of a tool that reads for more than a moment: one line on stderr that is overwritten, and
 * erased at the end. The caller checks whether stderr is a terminal. */
#ifndef MEASURE_CLI_PROGRESS_H
#define MEASURE_CLI_PROGRESS_H

void measure_progress_start(const char *what); /* "checking"; is kept, not copied */
void measure_progress_show(double share);      /* of all there is, 0 to 1 */
void measure_progress_end(void);

#endif
