/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How far a tool has come that reads for longer than a moment: one line on stderr, written over
 * and wiped off at the end. Whether stderr is a terminal is the caller's to look at. */
#ifndef MEASURE_CLI_PROGRESS_H
#define MEASURE_CLI_PROGRESS_H

void measure_progress_start(const char *what); /* "checking"; is kept, not copied */
void measure_progress_show(double share);      /* of all there is, 0 to 1 */
void measure_progress_end(void);

#endif
