/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Classes of regions by paradigm, role and name: archives of any tool say that much. */
#include "config.h"

#include "state_classes.h"

#include "analysis/profile/profile.h"
#include "analysis/waits/region_kinds.h"

const struct measure_state_class_info measure_state_classes[MEASURE_NR_STATE_CLASSES] = {
#define STATE_CLASS(NAME, word, text) {word, text},
#include "state_classes.def"
#undef STATE_CLASS
};

static enum measure_state_class class_of_mpi(uint8_t kind, OTF2_RegionRole role)
{
	switch (kind) {
	case MEASURE_REGION_KIND_MPI_TEST:
		return MEASURE_STATE_MPI_TEST;
	case MEASURE_REGION_KIND_MPI_PROBE:
	case MEASURE_REGION_KIND_MPI_ANY:
	case MEASURE_REGION_KIND_MPI_RECEIVE:
	case MEASURE_REGION_KIND_MPI_WAIT:
		return MEASURE_STATE_MPI_P2P;
	}
	switch (role) {
	case OTF2_REGION_ROLE_POINT2POINT:
		return MEASURE_STATE_MPI_P2P;
	case OTF2_REGION_ROLE_BARRIER:
	case OTF2_REGION_ROLE_COLL_ONE2ALL:
	case OTF2_REGION_ROLE_COLL_ALL2ONE:
	case OTF2_REGION_ROLE_COLL_ALL2ALL:
	case OTF2_REGION_ROLE_COLL_OTHER:
		return MEASURE_STATE_MPI_COLLECTIVE;
	case OTF2_REGION_ROLE_RMA:
		return MEASURE_STATE_MPI_RMA;
	case OTF2_REGION_ROLE_FILE_IO:
	case OTF2_REGION_ROLE_FILE_IO_METADATA:
		return MEASURE_STATE_MPI_IO;
	default:
		return MEASURE_STATE_MPI_SETUP;
	}
}

/* What a region encloses computes; only what the runtime does itself is of its classes. */
static enum measure_state_class class_of_openmp(uint8_t kind, OTF2_RegionRole role)
{
	switch (role) {
	case OTF2_REGION_ROLE_TASK_CREATE:
	case OTF2_REGION_ROLE_THREAD_CREATE:
	case OTF2_REGION_ROLE_THREAD_WAIT:
		return MEASURE_STATE_OPENMP_MANAGEMENT;
	default:
		if (kind == MEASURE_REGION_KIND_DEVICE)
			return MEASURE_STATE_DEVICE;
		return kind == MEASURE_REGION_KIND_USEFUL ? MEASURE_STATE_COMPUTATION
							  : MEASURE_STATE_OPENMP_SYNC;
	}
}

static enum measure_state_class class_of_pseudo(uint32_t region)
{
	switch (region) {
	case MEASURE_PSEUDO_RECORDING_OFF:
	case MEASURE_PSEUDO_BUFFER_FLUSH:
		return MEASURE_STATE_MEASUREMENT;
	case MEASURE_PSEUDO_IDLE:
		return MEASURE_STATE_IDLE;
	case MEASURE_PSEUDO_NO_REGION:
	case MEASURE_PSEUDO_BEFORE_FIRST:
	case MEASURE_PSEUDO_AFTER_LAST:
		return MEASURE_STATE_OUTSIDE;
	default:
		return MEASURE_STATE_COMPUTATION;
	}
}

static enum measure_state_class class_of_region(const struct measure_region *region, uint8_t kind)
{
	switch (region->paradigm) {
	case OTF2_PARADIGM_MPI:
		return class_of_mpi(kind, region->role);
	case OTF2_PARADIGM_OPENMP:
		return class_of_openmp(kind, region->role);
	default:
		break;
	}
	switch (kind) {
	case MEASURE_REGION_KIND_THREAD:
	case MEASURE_REGION_KIND_THREAD_CONDITION:
	case MEASURE_REGION_KIND_THREAD_UNKNOWN:
		return MEASURE_STATE_THREADS;
	case MEASURE_REGION_KIND_IO:
		return MEASURE_STATE_IO;
	case MEASURE_REGION_KIND_DEVICE:
		return MEASURE_STATE_DEVICE;
	default:
		return region->paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM
			       ? MEASURE_STATE_MEASUREMENT
			       : MEASURE_STATE_COMPUTATION;
	}
}

uint8_t *measure_state_classes_find(const struct measure_definitions *definitions)
{
	uint8_t *classes = measure_region_kinds_find(definitions);

	for (size_t i = 0; i < definitions->nr_regions; i++)
		classes[i] = (uint8_t)class_of_region(&definitions->regions[i], classes[i]);
	return classes;
}

enum measure_state_class measure_state_class_of(
	const uint8_t *classes, const struct measure_definitions *definitions, uint32_t region)
{
	return region < definitions->nr_regions ? (enum measure_state_class)classes[region]
						: class_of_pseudo(region);
}
