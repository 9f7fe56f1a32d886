/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Programs: several
 *
 * spawn [COMMAND [ARGUMENT]...]: starts two children by a command, this program if there is none,
 * and talks with them; then the same with MPI_Comm_spawn_multiple by rank 1 alone
 * (MPI_Comm_spawn where T_ONE_PROGRAM is set). Before that the ranks connect to each other by a
 * port and by a socket. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "t_mpi.h"

#define NR_CHILDREN 2

static void talk(MPI_Comm between)
{
	const int value = t_rank;
	int rank, nr_others, received;
	MPI_Request request;

	MPI_Comm_rank(between, &rank);
	MPI_Comm_remote_size(between, &nr_others);
	for (int i = 0; i < nr_others; i++)
		MPI_Send(&value, 1, MPI_INT, i, 3, between);
	for (int i = 0; i < nr_others; i++)
		MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 3, between, MPI_STATUS_IGNORE);
	MPI_Barrier(between);
	if (rank == 0) {
		MPI_Irecv(&received, 1, MPI_INT, 0, 4, between, &request);
		MPI_Send(&value, 1, MPI_INT, 0, 4, between);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
}

/* The first child gives the parents a number. */
static void broadcast(MPI_Comm between, int is_parent)
{
	int number = is_parent ? 0 : 42;

	MPI_Bcast(&number, 1, MPI_INT,
		is_parent ? 0 : t_rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
	T_CHECK(number == 42);
}

static void merge(MPI_Comm between, int is_parent)
{
	MPI_Comm merged, dup, half, world;
	int rank, size, value = 1;

	MPI_Intercomm_merge(between, !is_parent, &merged);
	MPI_Comm_rank(merged, &rank);
	MPI_Comm_size(merged, &size);
	MPI_Comm_dup(merged, &dup);
	MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 5, (rank + size - 1) % size, 5,
		dup, MPI_STATUS_IGNORE);
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, merged);
	T_CHECK(value == size);
	MPI_Comm_split(merged, rank % 2, 0, &half);
	MPI_Comm_split(merged, is_parent, 0, &world); /* the members of one world only */
	MPI_Barrier(half);
	MPI_Barrier(world);
	MPI_Comm_free(&world);
	MPI_Comm_free(&half);
	MPI_Comm_free(&dup);
	MPI_Comm_free(&merged);
}

static void meet(MPI_Comm *between, int is_parent)
{
	MPI_Comm dup;

	talk(*between);
	broadcast(*between, is_parent);
	MPI_Comm_dup(*between, &dup);
	talk(dup);
	MPI_Comm_free(&dup);
	merge(*between, is_parent);
	MPI_Comm_disconnect(between);
}

static void by_port(void)
{
	char port[MPI_MAX_PORT_NAME];
	MPI_Comm between;

	if (t_rank == 0) {
		MPI_Open_port(MPI_INFO_NULL, port);
		MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
		MPI_Close_port(port);
	} else {
		MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 1, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &between);
	}
	talk(between);
	MPI_Comm_disconnect(&between);
}

static int connect_sockets(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0), joined = fd;

	if (t_rank == 0) {
		T_CHECK(bind(fd, (struct sockaddr *)&address, length) == 0);
		T_CHECK(listen(fd, 1) == 0);
		getsockname(fd, (struct sockaddr *)&address, &length);
	}
	MPI_Bcast(&address, sizeof(address), MPI_BYTE, 0, MPI_COMM_WORLD);
	if (t_rank == 0) {
		joined = accept(fd, NULL, NULL);
		close(fd);
	} else {
		T_CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
	}
	T_CHECK(joined >= 0);
	return joined;
}

static void by_socket(void)
{
	const int fd = connect_sockets();
	MPI_Comm between;

	MPI_Comm_join(fd, &between);
	close(fd);
	talk(between);
	MPI_Comm_disconnect(&between);
}

/* MPICH has no ports on some networks. */
static int are_there_ports(void)
{
	char port[MPI_MAX_PORT_NAME];
	int result;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	result = MPI_Open_port(MPI_INFO_NULL, port);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
	if (result == MPI_SUCCESS)
		MPI_Close_port(port);
	else if (t_rank == 0)
		printf("this MPI library has no ports here, and spawns no processes\n");
	return result == MPI_SUCCESS;
}

static void spawn_multiple(char *command, char **arguments, MPI_Comm *children)
{
	char *commands[] = {command, command};
	char **all_arguments[] = {arguments, arguments};
	MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
	const int one_each[] = {1, 1};

	MPI_Info_create(&infos[1]);
	MPI_Info_set(infos[1], "env", "T_SPAWN=1");
	MPI_Comm_spawn_multiple(2, commands,
		arguments != MPI_ARGV_NULL ? all_arguments : MPI_ARGVS_NULL, one_each, infos, 0,
		MPI_COMM_SELF, children, MPI_ERRCODES_IGNORE);
	MPI_Info_free(&infos[1]);
}

static void parent(int argc, char **argv)
{
	char *command = argc > 1 ? argv[1] : argv[0];
	char **arguments = argc > 1 ? argv + 2 : MPI_ARGV_NULL;
	MPI_Comm children;

	by_port();
	by_socket();
	MPI_Comm_spawn(command, arguments, NR_CHILDREN, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &children,
		MPI_ERRCODES_IGNORE);
	meet(&children, 1);
	MPI_Barrier(MPI_COMM_WORLD);
	if (t_rank == 1) {
		if (getenv("T_ONE_PROGRAM"))
			MPI_Comm_spawn(command, arguments, NR_CHILDREN, MPI_INFO_NULL, 0,
				MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
		else
			spawn_multiple(command, arguments, &children);
		meet(&children, 1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Comm parents;
	int is_possible;

	t_init(&argc, &argv);
	T_CHECK(!getenv("MEASURE_SPAWNED_BY"));
	MPI_Comm_get_parent(&parents);
	is_possible = parents != MPI_COMM_NULL || are_there_ports();
	if (parents != MPI_COMM_NULL)
		meet(&parents, 0);
	else if (is_possible)
		parent(argc, argv);
	MPI_Finalize();
	if (!is_possible)
		return 77;
	printf("done\n");
	return 0;
}
