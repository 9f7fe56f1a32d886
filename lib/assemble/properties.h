/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the archive says of itself in properties: doc/properties.md lists them. */
#ifndef MEASURE_ASSEMBLE_PROPERTIES_H
#define MEASURE_ASSEMBLE_PROPERTIES_H

#include "assemble/account.h"
#include "assemble/assemble.h"
#include "otf2/archive.h"

/* Only what is not 0. A failure is the archive's, and comes out when that is closed. */
void measure_properties_write(struct measure_archive *archive,
	const struct measure_unified *unified, const struct measure_timeline *timeline,
	const struct measure_assemble_report *report, const struct measure_account *account);

#endif
