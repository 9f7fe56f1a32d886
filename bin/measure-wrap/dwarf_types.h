/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types of functions, from debug information: that of an object compiled for this purpose, or that
 * of the library itself. */
#ifndef MEASURE_WRAP_DWARF_TYPES_H
#define MEASURE_WRAP_DWARF_TYPES_H

#include "wrap_model.h"

/* A variable of the object with this name is a pointer to a function of the type wanted. */
#define WRAP_PROBE "measure_wrap_probe_"

/* Completes functions[i] of the module, from the variable WRAP_PROBE "i" of the object. */
bool wrap_types_of_probes(struct wrap_module *module, const char *object);

/* Completes those functions of the module, by their symbols, that the debug information of the
 * library describes, as far as they can be called without its headers. The others stay stubs. */
void wrap_types_of_library(struct wrap_module *module);

#endif
