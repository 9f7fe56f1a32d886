/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handing a segment from keeper to process; see rendezvous.h. */
#include "config.h"

#include "rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE_S 5
#define BACKLOG    128 /* children that are forked at the same moment */

/* Socket addresses are short, paths are not: name the socket through the directory's
 * descriptor. */
static void name_socket(int part_fd, struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), "/proc/self/fd/%d/%s", part_fd,
		MEASURE_RENDEZVOUS_NAME);
}

measure_status_t measure_rendezvous_listen(int part_fd, int *listen_fd)
{
	struct sockaddr_un address;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return MEASURE_ERROR_IO;
	name_socket(part_fd, &address);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
		listen(fd, BACKLOG) != 0) {
		int error = errno;
		close(fd);
		errno = error;
		return MEASURE_ERROR_IO;
	}
	*listen_fd = fd;
	return MEASURE_OK;
}

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

measure_status_t measure_rendezvous_hand_over(int connection, int fd, const char *part)
{
	union control control = {{0}};
	struct iovec data = {(void *)(uintptr_t)part, strlen(part) + 1};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(connection, &message, MSG_NOSIGNAL) > 0 ? MEASURE_OK : MEASURE_ERROR_IO;
}

int measure_rendezvous_accept(int listen_fd, pid_t *pid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int connection = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);

	if (connection < 0)
		return -1;
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
		peer.uid != geteuid()) {
		close(connection);
		return -1;
	}
	*pid = peer.pid;
	return connection;
}

void measure_rendezvous_close(int listen_fd)
{
	int connection;

	shutdown(listen_fd, SHUT_RDWR);
	while ((connection = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		close(connection);
	close(listen_fd);
}

static measure_status_t receive_descriptor(int connection, int *fd, char *part, size_t size)
{
	union control control = {{0}};
	struct iovec data = {part, size};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};

	ssize_t received = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
	if (received == 0 || (received < 0 && errno == ECONNRESET))
		return MEASURE_ERROR_IO;
	if (received < 0)
		return MEASURE_ERROR_NOT_FOUND;
	part[received - 1] = '\0';
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(*fd)))
		return MEASURE_ERROR_FORMAT;
	memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return MEASURE_OK;
}

/* MEASURE_ERROR_IO: it was closed without an answer. The keeper does not want us, or has died just
 * then, and another one will listen.
 *
 * Connecting and waiting are bounded by the socket's time-outs: a stopped keeper must not stop
 * the program. */
static measure_status_t connect_to(
	const struct sockaddr_un *address, int *segment_fd, char *part, size_t size)
{
	struct timeval patience = {PATIENCE_S, 0};
	measure_status_t status = MEASURE_ERROR_NOT_FOUND;
	int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connection < 0)
		return MEASURE_ERROR_IO;
	setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(connection, (const struct sockaddr *)address, sizeof(*address)) == 0)
		status = receive_descriptor(connection, segment_fd, part, size);
	close(connection);
	return status;
}

measure_status_t measure_rendezvous_connect(
	const char *part_directory, int *segment_fd, char *part, size_t size)
{
	struct sockaddr_un address;
	int part_fd = open(part_directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (part_fd < 0)
		return MEASURE_ERROR_NOT_FOUND;
	name_socket(part_fd, &address);
	measure_status_t status = connect_to(&address, segment_fd, part, size);
	if (status == MEASURE_ERROR_IO)
		status = connect_to(&address, segment_fd, part, size);
	close(part_fd);
	return status == MEASURE_ERROR_IO ? MEASURE_ERROR_NOT_FOUND : status;
}
