/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What open() and fopen() are told, in OTF2's numbers. */
#ifndef MEASURE_POSIXIO_FLAGS_H
#define MEASURE_POSIXIO_FLAGS_H

#include <stdint.h>

uint8_t measure_access_of(int flags);    /* OTF2_IoAccessMode */
uint32_t measure_creation_of(int flags); /* OTF2_IoCreationFlag */
uint32_t measure_status_of(int flags);   /* OTF2_IoStatusFlag */

/* The flags of open() that a mode of fopen() stands for. */
int measure_flags_of_mode(const char *mode);

#endif
