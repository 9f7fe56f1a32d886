/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Beginning and end of recording in a running process; see attach.h. Loaded once, the library
 * stays: threads may be inside of a wrapper, and the program may have stored the address of one. */
#define _GNU_SOURCE
#include "config.h"

#include "runtime/core/attach.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter.h"
#include "runtime/linkage/linkage.h"
#include "next_function.h"
#include "start.h"
#include "runtime/definitions/define.h"
#include "runtime/event/location.h"
#include "runtime/gate/gate.h"

#define QUIET_MS 1000 /* for threads to come to the end of their events */

/* ------------------------------------------------------------ what is to be recorded --- */

/* An address in each object of Measure that takes part in this recording. */
static uintptr_t chosen[MEASURE_LINKAGE_MOST];
static uint32_t nr_chosen;

static bool object_is_chosen(uintptr_t inside)
{
	for (uint32_t i = 0; i < nr_chosen; i++)
		if (chosen[i] == inside)
			return true;
	return false;
}

static void choose(const void *inside)
{
	measure_linkage_add(inside);
	if (nr_chosen < MEASURE_LINKAGE_MOST)
		chosen[nr_chosen++] = (uintptr_t)inside;
}

/* One that was loaded by an earlier recording is the same one again. */
static void load_object(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct link_map *map = NULL;

	if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
		choose(map->l_ld);
	else
		dlerror();
}

/* The last one first: each stands before those that are there. */
static void load_objects(char *list)
{
	for (char *colon; (colon = strrchr(list, ':')); *colon = '\0')
		load_object(colon + 1);
	if (*list)
		load_object(list);
}

/* Whose object takes part. */
static bool adapter_is_chosen(const struct measure_adapter *adapter)
{
	struct link_map *map = NULL;
	Dl_info info;

	return dladdr1(adapter, &info, (void **)&map, RTLD_DL_LINKMAP) && map &&
	       object_is_chosen((uintptr_t)map->l_ld);
}

/* -------------------------------------------------------------------------- entries --- */

static measure_status_t begin(struct measure_attach_request *request)
{
	measure_status_t status = measure_start_attached(request->part);

	if (status != MEASURE_OK)
		return status;
	nr_chosen = 0;
	choose(_DYNAMIC);
	measure_adapters_attached(adapter_is_chosen, load_objects, request->objects);
	if (measure_linkage_change(object_is_chosen))
		return MEASURE_OK;
	measure_linkage_restore();
	return MEASURE_ERROR_MEMORY;
}

static bool is_busy_here(void)
{
	const struct measure_location *location = measure_location_self;

	return measure_define_is_locked_here() ||
	       (location && location->flags & MEASURE_LOCATION_BUSY);
}

static void end(void)
{
	measure_linkage_restore();
	measure_gate_close();
	measure_adapters_detached();
	measure_locations_abandon(QUIET_MS);
	measure_start_detached();
}

static int32_t attach(struct measure_attach_request *request)
{
	if (!measure_is_attached() || measure_gate_is_open() || measure_start_is_attached())
		return MEASURE_ATTACH_RECORDED;
	request->status = begin(request);
	if (request->status == MEASURE_OK)
		return MEASURE_ATTACH_DONE;
	if (measure_gate_is_open())
		end();
	return MEASURE_ATTACH_FAILED;
}

static int32_t detach(struct measure_attach_request *request)
{
	if (is_busy_here())
		return MEASURE_ATTACH_BUSY;
	if (!measure_is_attached() || !measure_start_is_attached())
		return MEASURE_ATTACH_IDLE;
	measure_start_part(request->part, sizeof(request->part));
	end();
	return MEASURE_ATTACH_DONE;
}

/* No handler of the program's is to come meanwhile. */
static void answer(struct measure_attach_request *request, bool is_attaching)
{
	struct measure_signals saved;
	int saved_errno = errno;

	measure_signals_block(&saved);
	request->result = is_attaching ? attach(request) : detach(request);
	measure_signals_restore(&saved);
	errno = saved_errno;
}

void measure_process_attach(struct measure_attach_request *request)
{
	answer(request, true);
}

void measure_process_detach(struct measure_attach_request *request)
{
	answer(request, false);
}
