/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the interpreter itself does before and after the program: the regions Py_Initialize, from
 * the start of the process on, and Py_Finalize, to its end. A program that embeds Python calls
 * functions of these names itself, and has neither region. All with the interpreter's lock. */
#ifndef MEASURE_PYTHON_PHASES_H
#define MEASURE_PYTHON_PHASES_H

#include "adapter.h"
#include "python_api.h"

#pragma GCC visibility push(hidden)
/* What the interpreter calls to run the program; MEASURE_UNDEFINED: not known. */
extern measure_region_t measure_python_outermost;

/* The process has started. */
void measure_python_phase_begin(void);

/* The interpreter goes on to the program. `event`: its audit event, "cpython.run_...". */
void measure_python_phase_run(const char *event);

/* A function of this name is seen for the first time. */
void measure_python_phase_look_at(const char *name, measure_region_t region);

/* A function was left that has the outermost region: it is that one if nothing has called it. */
void measure_python_phase_end(struct python_object *frame);

/* In a forked child. */
void measure_python_phase_fork(void);
#pragma GCC visibility pop

#endif
