/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Process and keeper talk, in whole messages; see rendezvous.h. */
#include "config.h"

#include "rendezvous.h"

#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE_S 5
#define HURRY_S      1   /* of the keeper with one who has come and says nothing */
#define BACKLOG    128 /* children that are forked at the same moment */
#define MOST_ENTRIES 1020 /* variables that go into one message */

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
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

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

union rendezvous_control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

measure_status_t measure_rendezvous_hand_over(int connection, int fd, const char *part)
{
	union rendezvous_control control = {{0}};
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

void measure_rendezvous_answer(int connection, const char *preload)
{
	if (send(connection, preload, strlen(preload) + 1, MSG_NOSIGNAL) < 0)
		return; /* it goes without */
}

/* Of the same user? *pid is 0 for one of a PID namespace that cannot be seen from here. */
static bool is_ours(int connection, pid_t *pid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
		peer.uid != geteuid())
		return false;
	*pid = peer.pid;
	return true;
}

const char *measure_visitor_fault(const struct measure_visitor *visitor)
{
	switch (visitor->wish) {
	case MEASURE_WISH_SEGMENT:
	case MEASURE_WISH_CHILD:
	case MEASURE_WISH_LEAVE:
		return visitor->size == 0 ? NULL : "data follows the request";
	case MEASURE_WISH_IMAGE:
		if (visitor->size < 2 || visitor->text[0] == '\0')
			return "the path is missing";
		return visitor->text[visitor->size - 1] == '\0' ? NULL
								: "the last text is not terminated";
	}
	return "unknown request";
}

/* The kernel knows who it is; the rest comes at once or not at all. */
static bool receive_visitor(int connection, struct measure_visitor *visitor)
{
	struct timeval patience = {HURRY_S, 0};
	char wish = 0;
	struct iovec data[2] = {{&wish, 1}, {visitor->text, sizeof(visitor->text) - 2}};
	struct msghdr message = {.msg_iov = data, .msg_iovlen = 2};

	setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!is_ours(connection, &visitor->pid) || visitor->pid <= 0)
		return false;
	ssize_t received = recvmsg(connection, &message, 0);
	if (received <= 0 || message.msg_flags & MSG_TRUNC)
		return false;
	visitor->wish = (enum measure_wish)wish;
	visitor->size = (size_t)received - 1;
	visitor->text[visitor->size] = '\0';
	return measure_visitor_fault(visitor) == NULL;
}

int measure_rendezvous_accept(int listen_fd, struct measure_visitor *visitor)
{
	int connection = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC);

	if (connection < 0)
		return -1;
	if (!receive_visitor(connection, visitor)) {
		close(connection);
		return -1;
	}
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

/* Closes what came, but for a single one. False: it was none, or more. The kernel gives no more
 * than there is room for; by the alignment of messages that may be two. */
static bool take_descriptor(struct msghdr *message, int *fd)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int found[sizeof(union rendezvous_control) / sizeof(int)];

	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
		header->cmsg_len < CMSG_LEN(0))
		return false;
	size_t size = header->cmsg_len - CMSG_LEN(0), nr = size / sizeof(int);
	if (nr > sizeof(found) / sizeof(found[0]))
		return false;
	memcpy(found, CMSG_DATA(header), nr * sizeof(int));
	if (nr == 1) {
		*fd = found[0];
		return true;
	}
	for (size_t i = 0; i < nr; i++)
		close(found[i]);
	return false;
}

/* The name of a part is one, and leads nowhere else. */
static bool is_name(const char *part, size_t size)
{
	return size > 0 && memchr(part, '\0', size) == part + size - 1 &&
	       !memchr(part, '/', size) && strcmp(part, ".") != 0 && strcmp(part, "..") != 0;
}

static measure_status_t receive_descriptor(int connection, int *fd, char *part, size_t size)
{
	union rendezvous_control control = {{0}};
	struct iovec data = {part, size};
	struct msghdr message = {.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes)};

	ssize_t received = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
	if (received < 0)
		return errno == ECONNRESET ? MEASURE_ERROR_IO : MEASURE_ERROR_NOT_FOUND;
	if (!take_descriptor(&message, fd))
		return received == 0 ? MEASURE_ERROR_IO : MEASURE_ERROR_FORMAT;
	if (!(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && is_name(part, (size_t)received))
		return MEASURE_OK;
	close(*fd);
	return MEASURE_ERROR_FORMAT;
}

/* Connecting and waiting are bounded by the socket's time-outs: a stopped keeper must not stop
 * the program. */
static int connect_to(const char *part_directory)
{
	struct timeval patience = {PATIENCE_S, 0};
	struct sockaddr_un address;
	pid_t keeper;
	int part_fd = open(part_directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (part_fd < 0)
		return -1;
	name_socket(part_fd, &address);
	int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (connection >= 0) {
		setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
		setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
		if (connect(connection, (const struct sockaddr *)&address, sizeof(address)) != 0 ||
			!is_ours(connection, &keeper)) {
			close(connection);
			connection = -1;
		}
	}
	close(part_fd);
	return connection;
}

/* MEASURE_ERROR_IO: it was closed without an answer. The keeper does not want us, or has died just
 * then, and another one will listen. */
static measure_status_t ask_for_segment(const char *part_directory, enum measure_wish wish,
	int *segment_fd, char *part, size_t size)
{
	const char word = (char)wish;
	measure_status_t status = MEASURE_ERROR_IO;
	int connection = connect_to(part_directory);

	if (connection < 0)
		return MEASURE_ERROR_NOT_FOUND;
	if (send(connection, &word, 1, MSG_NOSIGNAL) == 1)
		status = receive_descriptor(connection, segment_fd, part, size);
	close(connection);
	return status;
}

measure_status_t measure_rendezvous_connect(const char *part_directory, enum measure_wish wish,
	int *segment_fd, char *part, size_t size)
{
	measure_status_t status = ask_for_segment(part_directory, wish, segment_fd, part, size);

	if (status == MEASURE_ERROR_IO)
		status = ask_for_segment(part_directory, wish, segment_fd, part, size);
	return status == MEASURE_ERROR_IO ? MEASURE_ERROR_NOT_FOUND : status;
}

/* The keeper closes the connection. */
void measure_rendezvous_leave(const char *part_directory)
{
	const char word = MEASURE_WISH_LEAVE;
	char byte;
	int connection = connect_to(part_directory);

	if (connection < 0)
		return; /* it is gone: measure-repair closes the part when the process has ended */
	if (send(connection, &word, 1, MSG_NOSIGNAL) == 1)
		while (recv(connection, &byte, 1, 0) < 0 && errno == EINTR)
			;
	close(connection);
}

/* -------------------------------------------------------------------------- images --- */

static bool say(int connection, struct iovec *data, size_t nr)
{
	struct msghdr message = {.msg_iov = data, .msg_iovlen = nr};
	ssize_t sent;

	do
		sent = sendmsg(connection, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent > 0;
}

/* With the environment, or without it where that is too much for one message. */
static bool ask(int connection, const char *path, char *const *environment, size_t nr)
{
	char wish = MEASURE_WISH_IMAGE;
	struct iovec *data = alloca((2 + nr) * sizeof(*data));
	size_t total = 0;

	data[0] = (struct iovec){&wish, 1};
	data[1] = (struct iovec){(void *)(uintptr_t)path, strlen(path) + 1};
	for (size_t i = 0; i < nr; i++) {
		data[2 + i] = (struct iovec){environment[i], strlen(environment[i]) + 1};
		total += data[2 + i].iov_len;
	}
	bool has_room = total + data[1].iov_len < MEASURE_VISITOR_TEXT / 2;
	return (has_room && say(connection, data, 2 + nr)) || say(connection, data, 2);
}

static ssize_t look_at_answer(int connection)
{
	char byte;
	ssize_t size;

	do
		size = recv(connection, &byte, 1, MSG_PEEK | MSG_TRUNC);
	while (size < 0 && errno == EINTR);
	return size;
}

/* MEASURE_ERROR_IO: as ask_for_segment(). */
static measure_status_t ask_for_image(const char *part_directory, const char *path,
	char *const *environment, int *connection, size_t *size)
{
	size_t nr = 0;
	int connected = connect_to(part_directory);

	if (connected < 0)
		return MEASURE_ERROR_NOT_FOUND;
	while (environment && environment[nr])
		nr++;
	ssize_t length = 0;
	if (ask(connected, path, environment, nr <= MOST_ENTRIES ? nr : 0))
		length = look_at_answer(connected);
	if (length > 0 && length <= MEASURE_VISITOR_TEXT) {
		*connection = connected;
		*size = (size_t)length;
		return MEASURE_OK;
	}
	bool is_closed = length == 0 || (length < 0 && errno == ECONNRESET);
	close(connected);
	return is_closed ? MEASURE_ERROR_IO : MEASURE_ERROR_NOT_FOUND;
}

measure_status_t measure_rendezvous_ask(const char *part_directory, const char *path,
	char *const *environment, int *connection, size_t *size)
{
	measure_status_t status =
		ask_for_image(part_directory, path, environment, connection, size);

	if (status == MEASURE_ERROR_IO)
		status = ask_for_image(part_directory, path, environment, connection, size);
	return status == MEASURE_ERROR_IO ? MEASURE_ERROR_NOT_FOUND : status;
}

measure_status_t measure_rendezvous_take(int connection, char *answer, size_t size)
{
	ssize_t received;

	do
		received = recv(connection, answer, size, 0);
	while (received < 0 && errno == EINTR);
	close(connection);
	if (received != (ssize_t)size)
		return MEASURE_ERROR_NOT_FOUND;
	answer[size - 1] = '\0';
	return MEASURE_OK;
}
