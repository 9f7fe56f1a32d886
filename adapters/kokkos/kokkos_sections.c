/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions that the program pushes and pops, events, and sections, which may overlap. */
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../common/ranges.h"
#include "../common/texts.h"
#include "kokkos_interface.h"
#include "kokkos_names.h"

void kokkosp_push_profile_region(const char *name)
{
	const measure_region_t region = kokkos_region(KOKKOS_REGION, KOKKOS_HOST, name);

	if (region != MEASURE_UNDEFINED && measure_range_push(region, 0) >= 0)
		measure_region_enter(region);
}

/* One that is not open is left where none is, so that the summary has it. */
void kokkosp_pop_profile_region(void)
{
	measure_region_t region;
	int32_t nr_open;

	if (!measure_is_recording_followed())
		return;
	region = measure_range_pop(0, &nr_open);
	if (region == MEASURE_UNDEFINED && nr_open < 0)
		region = kokkos_region(KOKKOS_STRAY_POP, KOKKOS_HOST, "Kokkos: pop without a push");
	if (region != MEASURE_UNDEFINED)
		measure_region_leave(region);
}

void kokkosp_profile_event(const char *name)
{
	if (measure_is_recording_followed())
		measure_marker_define("Kokkos", name ? name : "", MEASURE_SEVERITY_LOW);
}

/* -------------------------------------------------------------------------- sections --- */

#define MOST_SECTIONS 4096

/* Their numbers are places here, which are not used again. */
static struct kokkos_section {
	_Atomic(const char *) name;
	_Atomic uint64_t range; /* 0: is not started */
} sections[MOST_SECTIONS];
static _Atomic uint32_t nr_sections;

void kokkosp_create_profile_section(const char *name, uint32_t *section)
{
	const uint32_t place = atomic_fetch_add(&nr_sections, 1);
	struct measure_text *text;

	*section = place;
	if (place >= MOST_SECTIONS) {
		atomic_store(&nr_sections, MOST_SECTIONS);
		*section = MEASURE_UNDEFINED;
		return;
	}
	if (!measure_is_recording_followed())
		return;
	text = measure_text_find(name ? name : "", MEASURE_TEXT_VALUE);
	atomic_store(&sections[place].name, text ? text->site.name : "");
}

void kokkosp_destroy_profile_section(uint32_t section)
{
	kokkosp_stop_profile_section(section);
}

/* Once more without a stop: the earlier one ends here. */
void kokkosp_start_profile_section(uint32_t section)
{
	const char *name;

	kokkosp_stop_profile_section(section);
	if (section >= MOST_SECTIONS || !measure_is_recording_followed())
		return;
	name = atomic_load(&sections[section].name);
	if (name)
		atomic_store(&sections[section].range, measure_range_start(0, name, NULL, 0));
}

void kokkosp_stop_profile_section(uint32_t section)
{
	if (section < MOST_SECTIONS)
		measure_range_stop(atomic_exchange(&sections[section].range, 0));
}
