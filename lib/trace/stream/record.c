/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of otf2_records.def, for those that read records by them. */
#include "config.h"

#include "record.h"

#include "format/otf2_records.h"

const char *const measure_event_names[MEASURE_NR_EVENT_KINDS] = {
#define EVENT(number, Name, ...) #Name,
#include "format/otf2_records.def"
#undef EVENT
	"Unknown",
};

#define COUNT(...) +1
#define FIELD(type, name, refers_to, slot)                                                         \
	{MEASURE_FIELD_##type, (enum measure_kind)MEASURE_KIND_##refers_to, MEASURE_SLOT_##slot},
#define EVENT(number, Name, NAME, name, shape, writer, files, ...)                                 \
	[MEASURE_EVENT_##NAME] = {number, MEASURE_OTF2_##shape == MEASURE_OTF2_SIZED,              \
		0 MEASURE_EACH_FIELD(COUNT, ##__VA_ARGS__),                                        \
		{MEASURE_EACH_FIELD(FIELD, ##__VA_ARGS__)}},
const struct measure_record_format measure_record_formats[MEASURE_NR_EVENT_KINDS] = {
#include "format/otf2_records.def"
	[MEASURE_EVENT_UNKNOWN] = {.has_length = true},
};
#undef EVENT
