/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints strings as JSON. */
#ifndef MEASURE_CLI_JSON_TEXT_H
#define MEASURE_CLI_JSON_TEXT_H

#include <stdio.h>

/* Writes a string literal of any bytes. */
void measure_json_text(FILE *file, const char *text);

#endif
