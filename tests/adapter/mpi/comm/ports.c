/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two jobs that meet at a port and talk: for ports.sh. Arguments: server or client, and the file
 * by which the server tells the client its port. */
#include <unistd.h>

#include "t_mpi.h"

static void tell_port(const char *port, const char *name)
{
	char hidden[T_PATH_MAX];
	FILE *file;

	snprintf(hidden, sizeof(hidden), "%s.new", name);
	file = fopen(hidden, "w");
	T_CHECK(file && fputs(port, file) >= 0 && fclose(file) == 0 && rename(hidden, name) == 0);
}

static void hear_port(char *port, const char *name)
{
	FILE *file;

	while (!(file = fopen(name, "r")))
		usleep(20000);
	T_CHECK(fgets(port, MPI_MAX_PORT_NAME, file));
	fclose(file);
}

static void talk(MPI_Comm inter, int is_server)
{
	int value = 1, got = 0;
	MPI_Comm all;

	MPI_Sendrecv(&value, 1, MPI_INT, t_rank, 3, &got, 1, MPI_INT, t_rank, 3, inter,
		MPI_STATUS_IGNORE);
	MPI_Barrier(inter);
	MPI_Intercomm_merge(inter, is_server, &all);
	MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_SUM, all);
	T_CHECK(got == 2 * t_size);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&inter);
}

int main(int argc, char **argv)
{
	const int is_server = argc > 1 && strcmp(argv[1], "server") == 0;
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm inter;

	t_init(&argc, &argv);
	T_CHECK(argc == 3);
	if (is_server && t_rank == 0) {
		MPI_Open_port(MPI_INFO_NULL, port);
		tell_port(port, argv[2]);
	} else if (t_rank == 0) {
		hear_port(port, argv[2]);
	}
	if (is_server)
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
	else
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
	talk(inter, is_server);
	MPI_Finalize();
	return 0;
}
