/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making processes; see spawn.h. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../coll/coll_calls.h"
#include "comm_calls.h"
#include "../core/pmpi.h"
#include "spawn.h"
#include "../core/job_transport.h"

#define PARENTS "MEASURE_SPAWNED_BY"
#define OUTPUT  "MEASURE_SPAWNED_OUTPUT" /* of the parents: what children do by default */

/* Open MPI's key for the environment, NAME=VALUE lines. Open MPI 5 warns where it is "env". */
#if !defined(OMPI_MAJOR_VERSION) || OMPI_MAJOR_VERSION < 5
#define ENVIRONMENT "env"
#else
#define ENVIRONMENT "PMIX_ENVAR"
#endif

/* Other libraries have no way to hand something to the children. */
#ifdef OPEN_MPI
#define HAS_ENVIRONMENT true
#else
#define HAS_ENVIRONMENT false
#endif

static bool command_is_measure(const char *command)
{
	const char *name = command ? strrchr(command, '/') : NULL;

	return command && strcmp(name ? name + 1 : command, "measure") == 0;
}

static bool are_measured(int count, char *const *commands)
{
	for (int i = 0; i < count; i++)
		if (!command_is_measure(commands[i]))
			return false;
	return count > 0;
}

/* False: there is no room for it. */
static bool environment_add(char value[MPI_MAX_INFO_VAL + 1], const char *name, const char *text)
{
	const size_t used = strlen(value);
	const int length = snprintf(
		value + used, MPI_MAX_INFO_VAL + 1 - used, "%s%s=%s", used ? "\n" : "", name, text);

	if (used + (size_t)length < MPI_MAX_INFO_VAL)
		return true;
	value[used] = '\0';
	return false;
}

/* A copy of an info object with more lines of environment. MPI_INFO_NULL: there is no room for
 * the key. */
static MPI_Info info_with_environment(MPI_Info from, struct measure_comm_key key)
{
	char value[MPI_MAX_INFO_VAL + 1] = "", parents[33];
	const char *output = measure_option_text("output");
	MPI_Info made = MPI_INFO_NULL;
	int is_there = 0;

	if (from == MPI_INFO_NULL) {
		measure_mpi.Info_create(&made);
	} else {
		measure_mpi.Info_dup(from, &made);
		measure_mpi.Info_get(from, ENVIRONMENT, MPI_MAX_INFO_VAL, value, &is_there);
	}
	snprintf(parents, sizeof(parents), "%016" PRIx64 "%016" PRIx64, key.high, key.low);
	if (!environment_add(value, PARENTS, parents)) {
		measure_mpi.Info_free(&made);
		return made;
	}
	if (output)
		environment_add(value, OUTPUT, output);
	measure_mpi.Info_set(made, ENVIRONMENT, value);
	return made;
}

static void spawn_free_infos(struct measure_spawn *spawn)
{
	for (int i = 0; i < spawn->nr_infos; i++)
		measure_mpi.Info_free(&spawn->infos[i]);
	if (spawn->infos != &spawn->one)
		free(spawn->infos);
	spawn->infos = NULL;
	spawn->nr_infos = 0;
}

/* False: the children will not know the name. */
static bool spawn_make_infos(struct measure_spawn *spawn, int count, const MPI_Info *infos)
{
	spawn->infos = count == 1 ? &spawn->one : malloc((size_t)count * sizeof(*spawn->infos));
	if (!spawn->infos)
		return false;
	for (int i = 0; i < count; i++) {
		spawn->infos[i] = info_with_environment(infos[i], spawn->key);
		if (spawn->infos[i] == MPI_INFO_NULL) {
			spawn_free_infos(spawn);
			return false;
		}
		spawn->nr_infos++;
	}
	return true;
}

const MPI_Info *measure_spawn_before(struct measure_spawn *spawn, enum measure_call call, int count,
	char *const *commands, const MPI_Info *infos, int root, MPI_Comm comm)
{
	const struct measure_communicator *parents = NULL;

	*spawn = (struct measure_spawn){0};
	if (HAS_ENVIRONMENT && measure_transport_has_world())
		parents = measure_communicator_find(comm);
	if (parents && !parents->is_inter)
		spawn->has_key =
			measure_communicator_name_object(comm, MEASURE_OBJECT_SPAWN, &spawn->key);
	if (spawn->has_key && parents->rank == (uint32_t)root && infos && commands &&
		are_measured(count, commands))
		spawn->is_traced = spawn_make_infos(spawn, count, infos);
	spawn->region = measure_creation_before(call, comm);
	return spawn->is_traced ? spawn->infos : infos;
}

void measure_spawn_after(
	struct measure_spawn *spawn, int result, int root, MPI_Comm comm, const MPI_Comm *newcomm)
{
	const struct measure_communicator *created = NULL;

	spawn_free_infos(spawn);
	if (spawn->has_key && result == MPI_SUCCESS && *newcomm != MPI_COMM_NULL &&
		measure_mpi.Bcast(&spawn->is_traced, 1, MPI_INT, root, comm) == MPI_SUCCESS &&
		spawn->is_traced)
		created = measure_communicator_add_side(*newcomm, spawn->key, MEASURE_SIDE_FIRST,
			spawn->region != MEASURE_UNDEFINED);
	measure_comm_made_after(spawn->region, result, comm, created, NULL);
}

/* What the parents have written. */
static bool key_read(const char *text, struct measure_comm_key *key)
{
	return text && strlen(text) == 32 &&
	       sscanf(text, "%16" SCNx64 "%16" SCNx64, &key->high, &key->low) == 2;
}

void measure_spawn_open_parent(void)
{
	MPI_Comm parent = MPI_COMM_NULL;
	struct measure_comm_key key;

	if (!measure_mpi_is_on || !key_read(measure_option_text("spawned_by"), &key))
		return;
	measure_mpi.Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL)
		measure_communicator_add_side(parent, key, MEASURE_SIDE_SECOND,
			measure_call_is_recorded(CALL_Comm_disconnect));
}
