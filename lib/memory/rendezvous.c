/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handing a segment from keeper to process; see rendezvous.h. */
#include "config.h"

#include "rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE_S 5

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
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 8) != 0) {
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

static measure_status_t send_descriptor(int connection, int fd)
{
	char byte = 'S';
	union control control = {{0}};
	struct iovec data = {&byte, 1};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(connection, &message, MSG_NOSIGNAL) == 1 ? MEASURE_OK : MEASURE_ERROR_IO;
}

measure_status_t measure_rendezvous_serve(int listen_fd, pid_t pid, int segment_fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	measure_status_t status = MEASURE_ERROR_NOT_FOUND;
	int connection = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);

	if (connection < 0)
		return MEASURE_ERROR_NOT_FOUND;
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
		peer.pid == pid && peer.uid == geteuid())
		status = send_descriptor(connection, segment_fd);
	close(connection);
	return status;
}

static measure_status_t receive_descriptor(int connection, int *fd)
{
	char byte;
	union control control = {{0}};
	struct iovec data = {&byte, 1};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};

	if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) != 1)
		return MEASURE_ERROR_NOT_FOUND;
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(*fd)))
		return MEASURE_ERROR_FORMAT;
	memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return MEASURE_OK;
}

/* Connecting and waiting are bounded by the socket's time-outs: a stopped keeper must not stop
 * the program. */
static measure_status_t connect_to(const struct sockaddr_un *address, int *segment_fd)
{
	struct timeval patience = {PATIENCE_S, 0};
	measure_status_t status = MEASURE_ERROR_NOT_FOUND;
	int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connection < 0)
		return MEASURE_ERROR_IO;
	setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(connection, (const struct sockaddr *)address, sizeof(*address)) == 0)
		status = receive_descriptor(connection, segment_fd);
	close(connection);
	return status;
}

measure_status_t measure_rendezvous_connect(const char *part_directory, int *segment_fd)
{
	struct sockaddr_un address;
	int part_fd = open(part_directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (part_fd < 0)
		return MEASURE_ERROR_NOT_FOUND;
	name_socket(part_fd, &address);
	measure_status_t status = connect_to(&address, segment_fd);
	close(part_fd);
	return status;
}
