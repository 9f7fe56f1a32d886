/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NVTX: the functions that take the place of those in programs and libraries. A handle of a domain
 * is its number, that of a registered string the text itself. */
#define _GNU_SOURCE
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/ranges.h"
#include "../common/tool_variable.h"
#include "annotations.h"
#include "domains.h"
#include "nvtx_interface.h"

#define LONGEST_WIDE 1024

typedef const void *nvtx_domain;

static uint32_t nvtx_domain_number(nvtx_domain domain)
{
	const uintptr_t number = (uintptr_t)domain;

	return number <= MOST_DOMAINS ? (uint32_t)number : 0;
}

/* As UTF-8, without the help of a locale; what does not fit is cut off. */
static const char *nvtx_narrow(const wchar_t *wide, char out[LONGEST_WIDE])
{
	size_t nr = 0;

	for (; wide && *wide && nr + 5 < LONGEST_WIDE; wide++) {
		const uint32_t code = (uint32_t)*wide;
		const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
		static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};

		out[nr++] = (char)(first[more] | (code >> (6 * more) & 0x7f));
		for (int i = more - 1; i >= 0; i--)
			out[nr++] = (char)(0x80 | (code >> (6 * i) & 0x3f));
	}
	out[nr] = '\0';
	return out;
}

/* ------------------------------------------------------------------------- attributes --- */

static struct measure_text *nvtx_message(const struct nvtx_attributes *attributes, uint32_t domain)
{
	char wide[LONGEST_WIDE];

	switch (attributes->message_type) {
	case NVTX_ASCII:
		return annotation_text(attributes->message.ascii, domain);
	case NVTX_UNICODE:
		return annotation_text(nvtx_narrow(attributes->message.unicode, wide), domain);
	case NVTX_REGISTERED:
		if (attributes->message.registered)
			return (struct measure_text *)(uintptr_t)attributes->message.registered;
	}
	return annotation_text("(no message)", domain);
}

static void nvtx_take_payload(
	const struct nvtx_attributes *attributes, struct annotation *annotation)
{
	annotation->has_payload = true;
	switch (attributes->payload_type) {
	case NVTX_UNSIGNED_INT64:
		annotation->payload_type = OTF2_TYPE_UINT64;
		annotation->payload.unsigned_int = attributes->payload.unsigned_int64;
		break;
	case NVTX_UNSIGNED_INT32:
		annotation->payload_type = OTF2_TYPE_UINT64;
		annotation->payload.unsigned_int = attributes->payload.unsigned_int32;
		break;
	case NVTX_INT64:
		annotation->payload_type = OTF2_TYPE_INT64;
		annotation->payload.signed_int = attributes->payload.int64;
		break;
	case NVTX_INT32:
		annotation->payload_type = OTF2_TYPE_INT64;
		annotation->payload.signed_int = attributes->payload.int32;
		break;
	case NVTX_DOUBLE:
		annotation->payload_type = OTF2_TYPE_DOUBLE;
		annotation->payload.floating_point = attributes->payload.floating64;
		break;
	case NVTX_FLOAT:
		annotation->payload_type = OTF2_TYPE_DOUBLE;
		annotation->payload.floating_point = (double)attributes->payload.floating32;
		break;
	default:
		annotation->has_payload = false;
	}
}

/* False: nothing is recorded, or the program has a layout that is not known. */
static bool nvtx_describe(
	nvtx_domain domain, const struct nvtx_attributes *attributes, struct annotation *annotation)
{
	if (!measure_is_recording_followed() || !attributes ||
		attributes->size < sizeof(*attributes))
		return false;
	*annotation = (struct annotation){.domain = nvtx_domain_number(domain)};
	annotation->text = nvtx_message(attributes, annotation->domain);
	annotation->category = attributes->category;
	nvtx_take_payload(attributes, annotation);
	return true;
}

static bool nvtx_describe_name(const char *name, struct annotation *annotation)
{
	if (!measure_is_recording_followed())
		return false;
	*annotation = (struct annotation){.text = annotation_text(name, 0)};
	return true;
}

/* ------------------------------------------------------------------------------ marks --- */

static void domain_mark_ex(nvtx_domain domain, const struct nvtx_attributes *attributes)
{
	struct annotation annotation;

	if (nvtx_describe(domain, attributes, &annotation))
		annotation_mark(&annotation, "NVTX");
}

static void mark_ex(const struct nvtx_attributes *attributes)
{
	domain_mark_ex(NULL, attributes);
}

static void mark(const char *name)
{
	struct annotation annotation;

	if (nvtx_describe_name(name, &annotation))
		annotation_mark(&annotation, "NVTX");
}

static void mark_wide(const wchar_t *name)
{
	char text[LONGEST_WIDE];

	mark(nvtx_narrow(name, text));
}

/* ----------------------------------------------------------------------------- ranges --- */

static uint64_t domain_range_start_ex(nvtx_domain domain, const struct nvtx_attributes *attributes)
{
	struct annotation annotation;

	return nvtx_describe(domain, attributes, &annotation) ? annotation_start(&annotation, 0)
							      : 0;
}

static uint64_t range_start_ex(const struct nvtx_attributes *attributes)
{
	return domain_range_start_ex(NULL, attributes);
}

static uint64_t range_start(const char *name)
{
	struct annotation annotation;

	return nvtx_describe_name(name, &annotation) ? annotation_start(&annotation, 0) : 0;
}

static uint64_t range_start_wide(const wchar_t *name)
{
	char text[LONGEST_WIDE];

	return range_start(nvtx_narrow(name, text));
}

static void range_end(uint64_t number)
{
	measure_range_stop(number);
}

static void domain_range_end(nvtx_domain domain, uint64_t number)
{
	(void)domain;
	measure_range_stop(number);
}

static int domain_range_push_ex(nvtx_domain domain, const struct nvtx_attributes *attributes)
{
	struct annotation annotation;

	return nvtx_describe(domain, attributes, &annotation) ? annotation_push(&annotation) : -1;
}

static int range_push_ex(const struct nvtx_attributes *attributes)
{
	return domain_range_push_ex(NULL, attributes);
}

static int range_push(const char *name)
{
	struct annotation annotation;

	return nvtx_describe_name(name, &annotation) ? annotation_push(&annotation) : -1;
}

static int range_push_wide(const wchar_t *name)
{
	char text[LONGEST_WIDE];

	return range_push(nvtx_narrow(name, text));
}

static int domain_range_pop(nvtx_domain domain)
{
	return measure_is_recording_followed() ? annotation_pop(nvtx_domain_number(domain)) : -1;
}

static int range_pop(void)
{
	return domain_range_pop(NULL);
}

/* ------------------------------------------------------------------------------ names --- */

static void domain_name_category(nvtx_domain domain, uint32_t category, const char *name)
{
	category_name(nvtx_domain_number(domain), category, name ? name : "");
}

static void domain_name_category_wide(nvtx_domain domain, uint32_t category, const wchar_t *name)
{
	char text[LONGEST_WIDE];

	domain_name_category(domain, category, nvtx_narrow(name, text));
}

static void name_category(uint32_t category, const char *name)
{
	domain_name_category(NULL, category, name);
}

static void name_category_wide(uint32_t category, const wchar_t *name)
{
	domain_name_category_wide(NULL, category, name);
}

/* Of another thread, the location is not known. */
static void name_thread(uint32_t thread, const char *name)
{
	if (measure_is_recording_followed() && name && thread == (uint32_t)gettid())
		measure_location_name(name);
}

static void name_thread_wide(uint32_t thread, const wchar_t *name)
{
	char text[LONGEST_WIDE];

	name_thread(thread, nvtx_narrow(name, text));
}

static const void *domain_register_string(nvtx_domain domain, const char *name)
{
	return measure_is_recording_followed() ? annotation_text(name, nvtx_domain_number(domain))
					       : NULL;
}

static const void *domain_register_string_wide(nvtx_domain domain, const wchar_t *name)
{
	char text[LONGEST_WIDE];

	return domain_register_string(domain, nvtx_narrow(name, text));
}

static nvtx_domain domain_create(const char *name)
{
	return (nvtx_domain)(uintptr_t)domain_find(name);
}

static nvtx_domain domain_create_wide(const wchar_t *name)
{
	char text[LONGEST_WIDE];

	return domain_create(nvtx_narrow(name, text));
}

/* -------------------------------------------------------------------------- injection --- */

static const struct {
	int module;
	unsigned int number;
	nvtx_function function;
} nvtx_functions[] = {
#define CALL(MODULE, number, name) {NVTX_##MODULE, number, (nvtx_function)name},
#include "nvtx_calls.def"
#undef CALL
};

static void nvtx_fill(const struct nvtx_callbacks *callbacks, int module)
{
	nvtx_function **places;
	unsigned int nr;

	if (!callbacks->find_functions(module, &places, &nr))
		return;
	for (size_t i = 0; i < sizeof(nvtx_functions) / sizeof(nvtx_functions[0]); i++)
		if (nvtx_functions[i].module == module && nvtx_functions[i].number < nr)
			*places[nvtx_functions[i].number] = nvtx_functions[i].function;
}

int InitializeInjectionNvtx2(nvtx_find_table_fn find_table)
{
	const struct nvtx_callbacks *callbacks = find_table ? find_table(NVTX_CALLBACKS) : NULL;

	if (!callbacks || callbacks->size < sizeof(*callbacks) || !measure_tool_is_on())
		return 0;
	nvtx_fill(callbacks, NVTX_CORE);
	nvtx_fill(callbacks, NVTX_CORE2);
	return 1;
}
