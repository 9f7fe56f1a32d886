/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The markers of an archive, which are in a file of their own. */
#ifndef MEASURE_EXPORT_CONVERSION_ARCHIVE_MARKERS_H
#define MEASURE_EXPORT_CONVERSION_ARCHIVE_MARKERS_H

#include "conversion.h"

struct archive_marker {
	uint64_t ns;
	uint32_t location; /* MEASURE_NONE: it is not about one location */
	size_t number;     /* in the file */
	char *category, *text;
};

struct archive_marker_category {
	OTF2_MarkerRef id;
	char *name;
};

struct archive_markers {
	const struct measure_conversion *conversion;
	MEASURE_GROWING(struct archive_marker, items); /* those selected, by time */
	MEASURE_GROWING(struct archive_marker_category, categories);
};

/* What cannot be read is left out. */
void archive_markers_read(
	struct archive_markers *markers, const struct measure_conversion *conversion);
void archive_markers_free(struct archive_markers *markers);

#endif
