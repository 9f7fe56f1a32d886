/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Annotations as records, and the adapter itself; see annotations.h. */
#include "config.h"

#include "annotations.h"

#include <inttypes.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stddef.h>
#include <stdio.h>

#include "../common/ranges.h"
#include "../common/tool_variable.h"
#include "domains.h"

#define LONGEST_NAME 1024

struct measure_text *annotation_text(const char *name, uint32_t domain)
{
	return measure_text_find(name ? name : "", domain);
}

/* "name", or "domain:name": filters and tables tell libraries apart by it. */
static void write_name(const struct measure_site *site, char *out, size_t size)
{
	const char *domain = domain_name(site->kind);

	snprintf(out, size, "%s%s%s", domain ? domain : "", domain ? ":" : "", site->name);
}

static uint32_t annotation_define_region(struct measure_site *site)
{
	char name[LONGEST_NAME];
	const struct measure_region_info info = {
		.name = name, .role = OTF2_REGION_ROLE_CODE, .paradigm = OTF2_PARADIGM_USER};

	write_name(site, name, sizeof(name));
	return measure_region_define(&info);
}

static struct measure_site others = {.name = "(beyond the limit of names)"};

static struct measure_site *annotation_site(const struct annotation *annotation)
{
	return annotation->text ? &annotation->text->site : &others;
}

bool measure_sites_are_on(void)
{
	return measure_tool_is_on();
}

/* ------------------------------------------------------------------------- attributes --- */

#define MOST_VALUES 2 /* category, payload */

static struct measure_site category_site = {
	.name = "range.category", .text = "Category of a range", .kind = OTF2_TYPE_STRING};

/* By type: a value has one. */
static struct measure_site payload_sites[] = {
	{.name = "range.payload", .text = "Value of a range", .kind = OTF2_TYPE_UINT64},
	{.name = "range.payload.int", .text = "Value of a range", .kind = OTF2_TYPE_INT64},
	{.name = "range.payload.double", .text = "Value of a range", .kind = OTF2_TYPE_DOUBLE},
};

static uint32_t annotation_define_attribute(struct measure_site *site)
{
	return measure_attribute_define(site->name, site->text, (uint8_t)site->kind);
}

static measure_attribute_t annotation_attribute(struct measure_site *site)
{
	return measure_site_id(site, annotation_define_attribute) - 1;
}

static struct measure_typed_value annotation_payload(const struct annotation *annotation)
{
	struct measure_typed_value value = {
		.type = annotation->payload_type, .unsigned_int = annotation->payload.unsigned_int};
	struct measure_site *site = payload_sites;

	while (site->kind != annotation->payload_type)
		site++;
	value.attribute = annotation_attribute(site);
	return value;
}

/* Before a transaction: makes definitions. */
static uint32_t annotation_values(
	const struct annotation *annotation, struct measure_typed_value values[MOST_VALUES])
{
	uint32_t nr = 0;
	const char *name;

	if (annotation->category) {
		values[nr] = (struct measure_typed_value){
			.attribute = annotation_attribute(&category_site),
			.type = OTF2_TYPE_STRING,
			.id = category_text(annotation->domain, annotation->category, &name) - 1};
		nr++;
	}
	if (annotation->has_payload)
		values[nr++] = annotation_payload(annotation);
	return nr;
}

/* ------------------------------------------------------------------ ranges of a thread --- */

static __attribute__((noinline)) void enter_with_values(
	const struct annotation *annotation, measure_region_t region)
{
	struct measure_typed_value values[MOST_VALUES];
	const uint32_t nr = annotation_values(annotation, values);
	struct measure_location *location = measure_record_begin_followed();

	if (!location)
		return;
	measure_write_attributes(location, values, nr);
	measure_write_enter(location, region);
	measure_record_end(location);
}

int32_t annotation_push(const struct annotation *annotation)
{
	const measure_region_t region =
		measure_site_id(annotation_site(annotation), annotation_define_region) - 1;
	int32_t level;

	if (region == MEASURE_UNDEFINED)
		return -1;
	level = measure_range_push(region, annotation->domain);
	if (level < 0)
		return level;
	if (annotation->category || annotation->has_payload)
		enter_with_values(annotation, region);
	else
		measure_region_enter(region);
	return level;
}

/* One that is not open is left where none is, so that the summary has it. */
int32_t annotation_pop(uint32_t domain)
{
	static struct measure_site stray = {.name = "pop of a range without a push"};
	int32_t nr_open;
	measure_region_t region = measure_range_pop(domain, &nr_open);

	if (region == MEASURE_UNDEFINED && nr_open < 0)
		region = measure_site_id(&stray, annotation_define_region) - 1;
	if (region != MEASURE_UNDEFINED)
		measure_region_leave(region);
	return nr_open;
}

/* --------------------------------------------------------------- other ranges, and marks --- */

uint64_t annotation_start(const struct annotation *annotation, uint64_t number)
{
	struct measure_typed_value values[MOST_VALUES];
	const uint32_t nr = annotation_values(annotation, values);
	char name[LONGEST_NAME];

	write_name(annotation_site(annotation), name, sizeof(name));
	return measure_range_start(number, name, values, nr);
}

static void print_payload(const struct annotation *annotation, char *out, size_t size)
{
	switch (annotation->has_payload ? annotation->payload_type : OTF2_TYPE_NONE) {
	case OTF2_TYPE_UINT64:
		snprintf(out, size, ": %" PRIu64, annotation->payload.unsigned_int);
		break;
	case OTF2_TYPE_INT64:
		snprintf(out, size, ": %" PRId64, annotation->payload.signed_int);
		break;
	case OTF2_TYPE_DOUBLE:
		snprintf(out, size, ": %.15g", annotation->payload.floating_point);
		break;
	default:
		*out = '\0';
	}
}

/* Markers have no attributes: category and value are in their texts. */
void annotation_mark(const struct annotation *annotation, const char *interface)
{
	const char *category = interface;
	char name[LONGEST_NAME], text[LONGEST_NAME + 64], payload[40];

	if (annotation->category)
		category_text(annotation->domain, annotation->category, &category);
	write_name(annotation_site(annotation), name, sizeof(name));
	print_payload(annotation, payload, sizeof(payload));
	snprintf(text, sizeof(text), "%s%s", name, payload);
	measure_marker_define(category, text, MEASURE_SEVERITY_LOW);
}

/* --------------------------------------------------------------------------- the adapter --- */

const struct measure_tool_variable measure_tool_variables[] = {
	{"NVTX_INJECTION64_PATH", NULL},
	{NULL, NULL},
};

const struct measure_adapter measure_tool_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "ranges",
	.thread_ends = measure_ranges_end,
	.child_started = domains_restart,
};
