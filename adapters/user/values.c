/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parameters, metrics and markers of the program's own. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../common/texts.h"
#include "user_start.h"
#include "sites.h"

static const char *name_of(const struct measure_site *site)
{
	return site->name ? site->name : "";
}

/* ---------------------------------------------------------------------- parameters --- */

static uint32_t define_signed(struct measure_site *site)
{
	return measure_parameter_define(name_of(site), MEASURE_PARAMETER_INT);
}

static uint32_t define_unsigned(struct measure_site *site)
{
	return measure_parameter_define(name_of(site), MEASURE_PARAMETER_UNSIGNED_INT);
}

static uint32_t define_string(struct measure_site *site)
{
	return measure_parameter_define(name_of(site), MEASURE_PARAMETER_STRING);
}

/* The attribute is there before the id says so. */
static uint32_t define_double(struct measure_site *site)
{
	__atomic_store_n(&site->other_id,
		measure_attribute_define(
			name_of(site), "exact value of the parameter", OTF2_TYPE_DOUBLE),
		__ATOMIC_RELAXED);
	return define_signed(site);
}

static void write_integer(uint32_t id, enum measure_parameter_type type, uint64_t value)
{
	struct measure_location *location = id ? measure_record_begin_followed() : NULL;

	if (!location)
		return;
	if (type == MEASURE_PARAMETER_INT)
		measure_write_parameter_int(location, id - 1, (int64_t)value);
	else
		measure_write_parameter_unsigned_int(location, id - 1, value);
	measure_record_end(location);
}

void measure_user_parameter_int64(struct measure_site *site, int64_t value)
{
	write_integer(measure_site_id(site, define_signed), MEASURE_PARAMETER_INT, (uint64_t)value);
}

void measure_user_parameter_uint64(struct measure_site *site, uint64_t value)
{
	write_integer(
		measure_site_id(site, define_unsigned), MEASURE_PARAMETER_UNSIGNED_INT, value);
}

/* What no integer is near to becomes the nearest one there is; not a number: 0. */
static int64_t nearest(double value)
{
	if (!(value > -0x1p63))
		return value < 0 ? INT64_MIN : 0;
	if (value >= 0x1p63)
		return INT64_MAX;
	int64_t whole = (int64_t)value;
	double rest = value - (double)whole;

	return whole + (rest >= 0.5) - (rest <= -0.5);
}

void measure_user_parameter_double(struct measure_site *site, double value)
{
	uint32_t id = measure_site_id(site, define_double);
	struct measure_location *location = id ? measure_record_begin_followed() : NULL;
	const struct measure_typed_value exact = {
		.attribute = __atomic_load_n(&site->other_id, __ATOMIC_RELAXED),
		.type = OTF2_TYPE_DOUBLE,
		.floating_point = value};

	if (!location)
		return;
	measure_write_attributes(location, &exact, 1);
	measure_write_parameter_int(location, id - 1, nearest(value));
	measure_record_end(location);
}

void measure_user_parameter_string(struct measure_site *site, const char *value)
{
	uint32_t id = measure_site_id(site, define_string);
	uint32_t text =
		id && value && measure_is_recording_followed() ? measure_text_value(value) : 0;
	struct measure_location *location = text ? measure_record_begin_followed() : NULL;

	if (!location)
		return;
	measure_write_parameter_string(location, id - 1, text - 1);
	measure_record_end(location);
}

/* ------------------------------------------------------------------------- metrics --- */

static uint32_t value_define_metric(struct measure_site *site, uint8_t type)
{
	const struct measure_metric_info info = {.name = name_of(site),
		.unit = site->text ? site->text : "#",
		.type = OTF2_METRIC_TYPE_USER,
		.mode = OTF2_METRIC_ABSOLUTE_POINT,
		.value_type = type,
		.base = OTF2_BASE_DECIMAL};
	struct measure_metric_class metric_class;

	return measure_metric_class_define(&info, 1, OTF2_METRIC_ASYNCHRONOUS, &metric_class)
		       ? metric_class.id
		       : MEASURE_UNDEFINED;
}

static uint32_t define_metric_signed(struct measure_site *site)
{
	return value_define_metric(site, OTF2_TYPE_INT64);
}

static uint32_t define_metric_unsigned(struct measure_site *site)
{
	return value_define_metric(site, OTF2_TYPE_UINT64);
}

static uint32_t define_metric_double(struct measure_site *site)
{
	return value_define_metric(site, OTF2_TYPE_DOUBLE);
}

static void write_metric(uint32_t id, uint8_t type, union measure_metric_value value)
{
	const struct measure_metric_class metric_class = {id - 1, 1, {type}};
	struct measure_location *location = id ? measure_record_begin_followed() : NULL;

	if (!location)
		return;
	measure_write_metric(location, &metric_class, &value);
	measure_record_end(location);
}

void measure_user_metric_int64(struct measure_site *site, int64_t value)
{
	write_metric(measure_site_id(site, define_metric_signed), OTF2_TYPE_INT64,
		(union measure_metric_value){.signed_int = value});
}

void measure_user_metric_uint64(struct measure_site *site, uint64_t value)
{
	write_metric(measure_site_id(site, define_metric_unsigned), OTF2_TYPE_UINT64,
		(union measure_metric_value){.unsigned_int = value});
}

void measure_user_metric_double(struct measure_site *site, double value)
{
	write_metric(measure_site_id(site, define_metric_double), OTF2_TYPE_DOUBLE,
		(union measure_metric_value){.floating_point = value});
}

/* ------------------------------------------------------------------------- markers --- */

void measure_user_marker(const char *category, const char *text, uint32_t severity)
{
	if (severity > MEASURE_SEVERITY_HIGH)
		severity = MEASURE_SEVERITY_HIGH;
	if (measure_user_is_on())
		measure_marker_define(
			category ? category : "", text ? text : "", (uint8_t)severity);
}
