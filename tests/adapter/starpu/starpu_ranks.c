/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks exchange data by libstarpumpi: by calls of their own, in a communicator where they have
 * other ranks, and by tasks that use data of both. */
#include <starpu_mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 10

static int rank;

static void add(void *buffers[], void *argument)
{
	(void)argument;
	*(int *)STARPU_VARIABLE_GET_PTR(buffers[0]) +=
		*(const int *)STARPU_VARIABLE_GET_PTR(buffers[1]);
}

static struct starpu_codelet add_codelet = {
	.cpu_funcs = {add}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}, .name = "add"};

/* Each rank sends what the other one has sent before. */
static void exchange(starpu_data_handle_t *handles, MPI_Comm comm, int64_t tag)
{
	int own;

	MPI_Comm_rank(comm, &own);
	for (int i = 0; i < ROUNDS; i++) {
		starpu_mpi_isend_detached(handles[0], 1 - own, tag + i, comm, NULL, NULL);
		starpu_mpi_irecv_detached(handles[1], 1 - own, tag + i, comm, NULL, NULL);
		if (starpu_task_insert(
			    &add_codelet, STARPU_RW, handles[0], STARPU_R, handles[1], 0) != 0)
			exit(2);
	}
	starpu_task_wait_for_all();
}

static void share(starpu_data_handle_t *handles)
{
	for (int i = 0; i < ROUNDS; i++) {
		starpu_mpi_task_insert(MPI_COMM_WORLD, &add_codelet, STARPU_RW, handles[0],
			STARPU_R, handles[1], 0);
		starpu_mpi_task_insert(MPI_COMM_WORLD, &add_codelet, STARPU_RW, handles[1],
			STARPU_R, handles[0], 0);
	}
	starpu_mpi_wait_for_all(MPI_COMM_WORLD);
}

static void with_own_data(MPI_Comm reversed)
{
	starpu_data_handle_t handles[2];
	int values[2] = {rank + 1, 0};

	for (int i = 0; i < 2; i++)
		starpu_variable_data_register(
			&handles[i], STARPU_MAIN_RAM, (uintptr_t)&values[i], sizeof(values[i]));
	exchange(handles, MPI_COMM_WORLD, 100);
	exchange(handles, reversed, 200);
	for (int i = 0; i < 2; i++)
		starpu_data_unregister(handles[i]);
	printf("rank %d: %d %d\n", rank, values[0], values[1]);
}

static void with_shared_data(void)
{
	starpu_data_handle_t handles[2];
	int value = rank + 1;

	for (int i = 0; i < 2; i++) {
		if (i == rank)
			starpu_variable_data_register(
				&handles[i], STARPU_MAIN_RAM, (uintptr_t)&value, sizeof(value));
		else
			starpu_variable_data_register(&handles[i], -1, 0, sizeof(value));
		starpu_mpi_data_register(handles[i], 300 + i, i);
	}
	share(handles);
	for (int i = 0; i < 2; i++)
		starpu_data_unregister(handles[i]);
	printf("rank %d: %d\n", rank, value);
}

int main(int nr_arguments, char **arguments)
{
	char name[4096];
	MPI_Comm reversed;
	FILE *facts;

	if (starpu_mpi_init_conf(&nr_arguments, &arguments, 1, MPI_COMM_WORLD, NULL) != 0)
		return 77;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	with_own_data(reversed);
	with_shared_data();
	MPI_Comm_free(&reversed);
	snprintf(name, sizeof(name), "%s.%d", getenv("T_FACTS") ? getenv("T_FACTS") : "/dev/null",
		rank);
	facts = getenv("T_FACTS") ? fopen(name, "w") : NULL;
	if (facts) {
		fprintf(facts, "sends %d\nreceives %d\ntype add %d\n", 3 * ROUNDS, 3 * ROUNDS,
			3 * ROUNDS);
		fclose(facts);
	}
	starpu_mpi_shutdown();
	return 0;
}
