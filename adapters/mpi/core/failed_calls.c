/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The attribute of failed calls, and the class of an error. */
#include "config.h"

#include <pthread.h>

#include <otf2/OTF2_GeneralDefinitions.h>

#include "failed_calls.h"
#include "pmpi.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static measure_attribute_t attribute;

/* What this thread has learned last. */
static __thread struct {
	int error;
	int class;
} learned __attribute__((tls_model("initial-exec")));

static void attribute_define(void)
{
	attribute = measure_attribute_define(
		"Refused", "Error class of the failed MPI call", OTF2_TYPE_UINT64);
}

void measure_failure_define(void)
{
	pthread_once(&once, attribute_define);
}

int measure_error_class(int error)
{
	return error == learned.error ? learned.class : error;
}

void measure_error_learn(int error)
{
	learned.error = learned.class = error;
	measure_mpi.Error_class(error, &learned.class);
}

void measure_failure_write(struct measure_location *location, int result)
{
	const int class = measure_error_class(result);

	if (class != MPI_ERR_TRUNCATE && attribute != MEASURE_UNDEFINED)
		measure_write_attribute_uint64(location, attribute, (uint64_t) class);
}
