/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of metrics in the units of their members, and names. */
#include "config.h"

#include <math.h>

#include "conversion.h"

static double scale_of(const struct measure_metric_member *member)
{
	const double base = member->base == OTF2_BASE_BINARY ? 2 : 10;

	return member->exponent == 0 ? 1 : pow(base, (double)member->exponent);
}

static void value_set(struct measure_conversion_value *value, OTF2_Type type, uint64_t bits)
{
	const OTF2_MetricValue recorded = {.unsigned_int = bits};

	value->is_integer = value->member->exponent == 0;
	value->integer = recorded.signed_int;
	if (type == OTF2_TYPE_DOUBLE) {
		value->is_integer = false;
		value->real = recorded.floating_point;
	} else if (type == OTF2_TYPE_INT64) {
		value->real = (double)recorded.signed_int;
	} else {
		value->is_integer &= bits <= INT64_MAX;
		value->real = (double)bits;
	}
	value->real *= scale_of(value->member);
}

bool measure_conversion_value(const struct measure_conversion *conversion,
	const struct measure_conversion_item *item, uint32_t i,
	struct measure_conversion_value *value)
{
	const struct measure_definitions *definitions = conversion->definitions;
	const struct measure_event *event = item->event;
	const struct measure_metric *metric;

	if (event->ref == MEASURE_NONE)
		return false;
	metric = &definitions->metrics[event->ref];
	if (metric->instance_of != MEASURE_NONE)
		metric = &definitions->metrics[metric->instance_of];
	if (i >= metric->nr_members || i >= event->peer)
		return false;
	*value = (struct measure_conversion_value){
		.number = metric->members[i], .instance = event->ref};
	if (value->number == MEASURE_NONE)
		return true;
	value->member = &definitions->metric_members[value->number];
	value_set(value, value->member->type, item->record->items[i]);
	return true;
}

const char *measure_conversion_paradigm_name(OTF2_Paradigm paradigm)
{
	static const char *const names[] = {
#define PARADIGM(NAME, CLASS, name, file, comms, windows) [OTF2_PARADIGM_##NAME] = name,
#include "paradigms.def"
#undef PARADIGM
	};
	const char *name = paradigm < sizeof(names) / sizeof(*names) ? names[paradigm] : NULL;

	return name ? name : "";
}

size_t measure_conversion_nr_regions(const struct measure_conversion *conversion)
{
	return conversion->definitions->nr_regions + MEASURE_PSEUDO_END - MEASURE_PSEUDO_BEFORE;
}
