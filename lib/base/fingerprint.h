/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Identifies an ELF file that has no build ID, so that a later file at the same path can be told
 * apart: a hash of its headers and of the symbol tables behind them, the same on all nodes. */
#ifndef MEASURE_BASE_FINGERPRINT_H
#define MEASURE_BASE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>

#define MEASURE_FINGERPRINT_MARK '~' /* what the text begins with: no hex digit */
#define MEASURE_FINGERPRINT_ROOM 18  /* bytes of the text, with its end */

/* `file`: its first `size` bytes, in the file or as it is loaded, where it may be longer. False: it
 * is no ELF file of this machine's word size, and `text` is empty. */
bool measure_fingerprint(const void *file, size_t size, char *text);

#endif
