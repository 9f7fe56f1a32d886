/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kinds of regions, by paradigm, role and name: archives of any tool say that much. */
#include "config.h"

#include "region_kinds.h"

#include <string.h>
#include <strings.h>

const uint8_t measure_region_classes[MEASURE_NR_REGION_KINDS] = {
#define REGION_KIND(NAME, class) MEASURE_REGION_CLASS_##class,
#include "region_kinds.def"
#undef REGION_KIND
};

static bool begins_with(const char *name, const char *beginning)
{
	return strncasecmp(name, beginning, strlen(beginning)) == 0;
}

static bool is_test(const char *name)
{
	return begins_with(name, "MPI_Test") || begins_with(name, "MPI_Iprobe") ||
	       begins_with(name, "MPI_Improbe") || begins_with(name, "MPI_Parrived") ||
	       begins_with(name, "MPI_Request_get_status") || begins_with(name, "MPI_Win_test");
}

/* MPI_Test_cancelled and MPI_T_... begin alike and complete nothing. */
static enum measure_region_kind kind_of_mpi(const char *name, OTF2_RegionRole role)
{
	if (is_test(name))
		return MEASURE_REGION_KIND_MPI_TEST;
	if (begins_with(name, "MPI_Waitany") || begins_with(name, "MPI_Waitsome"))
		return MEASURE_REGION_KIND_MPI_ANY;
	if (strcasecmp(name, "MPI_Probe") == 0)
		return MEASURE_REGION_KIND_MPI_PROBE;
	if (strcasecmp(name, "MPI_Recv") == 0)
		return MEASURE_REGION_KIND_MPI_RECEIVE;
	if (strcasecmp(name, "MPI_Wait") == 0 || strcasecmp(name, "MPI_Waitall") == 0)
		return MEASURE_REGION_KIND_MPI_WAIT;
	switch (role) {
	case OTF2_REGION_ROLE_RMA:
		return strcasecmp(name, "MPI_Win_start") == 0 ? MEASURE_REGION_KIND_MPI_RMA_START
							      : MEASURE_REGION_KIND_MPI_RMA;
	case OTF2_REGION_ROLE_BARRIER:
		return MEASURE_REGION_KIND_MPI_BARRIER;
	case OTF2_REGION_ROLE_COLL_ONE2ALL:
		return MEASURE_REGION_KIND_MPI_ONE_TO_ALL;
	case OTF2_REGION_ROLE_COLL_ALL2ALL:
		return MEASURE_REGION_KIND_MPI_ALL_TO_ALL;
	case OTF2_REGION_ROLE_COLL_ALL2ONE:
		return MEASURE_REGION_KIND_MPI_ALL_TO_ONE;
	default:
		return MEASURE_REGION_KIND_MPI;
	}
}

/* It has no role of its own. */
static bool is_group_wait(const char *name)
{
	return begins_with(name, "!$omp taskgroup wait");
}

static enum measure_region_kind kind_of_openmp(const char *name, OTF2_RegionRole role)
{
	switch (role) {
	case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
		return MEASURE_REGION_KIND_OPENMP_IMPLICIT_BARRIER;
	case OTF2_REGION_ROLE_CRITICAL:
		return MEASURE_REGION_KIND_OPENMP_CRITICAL;
	case OTF2_REGION_ROLE_ORDERED:
		return MEASURE_REGION_KIND_OPENMP_ORDERED;
	case OTF2_REGION_ROLE_WRAPPER:
		return MEASURE_REGION_KIND_OPENMP_LOCK;
	case OTF2_REGION_ROLE_DATA_TRANSFER:
	case OTF2_REGION_ROLE_ALLOCATE:
	case OTF2_REGION_ROLE_DEALLOCATE:
		return MEASURE_REGION_KIND_DEVICE;
	case OTF2_REGION_ROLE_BARRIER:
	case OTF2_REGION_ROLE_ATOMIC:
	case OTF2_REGION_ROLE_TASK_WAIT:
	case OTF2_REGION_ROLE_FLUSH:
	case OTF2_REGION_ROLE_TASK_CREATE:
	case OTF2_REGION_ROLE_THREAD_CREATE:
	case OTF2_REGION_ROLE_THREAD_WAIT:
		return MEASURE_REGION_KIND_OPENMP;
	default:
		return is_group_wait(name) ? MEASURE_REGION_KIND_OPENMP
					   : MEASURE_REGION_KIND_USEFUL;
	}
}

/* What runs in a thread of its own computes: only calls of the library are of that kind. */
static enum measure_region_kind kind_of_thread(const char *name, OTF2_RegionRole role)
{
	if (role == OTF2_REGION_ROLE_FUNCTION)
		return MEASURE_REGION_KIND_USEFUL;
	if (begins_with(name, "pthread_barrier_wait") || begins_with(name, "sem_wait") ||
		begins_with(name, "sem_timedwait") || begins_with(name, "sem_clockwait"))
		return MEASURE_REGION_KIND_THREAD_UNKNOWN;
	return begins_with(name, "pthread_cond_") ? MEASURE_REGION_KIND_THREAD_CONDITION
						  : MEASURE_REGION_KIND_THREAD;
}

static enum measure_region_kind kind_of(
	const struct measure_definitions *definitions, const struct measure_region *region)
{
	const char *name = measure_text(definitions, region->name);

	switch (region->paradigm) {
	case OTF2_PARADIGM_MPI:
		return kind_of_mpi(name, region->role);
	case OTF2_PARADIGM_OPENMP:
		return kind_of_openmp(name, region->role);
	case OTF2_PARADIGM_PTHREAD:
		return kind_of_thread(name, region->role);
	case OTF2_PARADIGM_KOKKOS: /* a fence */
		return region->role == OTF2_REGION_ROLE_BARRIER ? MEASURE_REGION_KIND_THREAD_UNKNOWN
								: MEASURE_REGION_KIND_USEFUL;
	case OTF2_PARADIGM_OPENCL:
	case OTF2_PARADIGM_OPENACC:
		return region->role == OTF2_REGION_ROLE_FUNCTION ? MEASURE_REGION_KIND_USEFUL
								  : MEASURE_REGION_KIND_DEVICE;
	default:
		if (region->flags & (OTF2_REGION_FLAG_DYNAMIC | OTF2_REGION_FLAG_PHASE))
			return MEASURE_REGION_KIND_PHASE;
		return region->role == OTF2_REGION_ROLE_FILE_IO ||
				       region->role == OTF2_REGION_ROLE_FILE_IO_METADATA
			       ? MEASURE_REGION_KIND_IO
			       : MEASURE_REGION_KIND_USEFUL;
	}
}

uint8_t *measure_region_kinds_find(const struct measure_definitions *definitions)
{
	uint8_t *kinds = measure_zeroed(definitions->nr_regions, sizeof(*kinds));

	for (size_t i = 0; i < definitions->nr_regions; i++)
		kinds[i] = (uint8_t)kind_of(definitions, &definitions->regions[i]);
	return kinds;
}
