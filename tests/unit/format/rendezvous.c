/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the segment goes to the awaited process, once, and to nobody else. */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/rendezvous.h"
#include "../t_suite.h"

static char directory[512];
static int part_fd, listen_fd, segment_fd;

/* The directory's name is longer than a socket address. */
static void t_open(void)
{
	char name[256];

	memset(name, 'd', 200);
	name[200] = '\0';
	strcpy(directory, "/tmp/measure-rendezvous-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	strcat(strcat(directory, "/"), name);
	CU_ASSERT_EQUAL_FATAL(mkdir(directory, 0700), 0);
	part_fd = open(directory, O_RDONLY | O_DIRECTORY);
	segment_fd = memfd_create("test", 0);
	CU_ASSERT_EQUAL_FATAL(write(segment_fd, "segment", 8), 8);
	CU_ASSERT_EQUAL_FATAL(measure_rendezvous_listen(part_fd, &listen_fd), MEASURE_OK);
}

static void t_close(void)
{
	close(listen_fd);
	close(segment_fd);
	unlinkat(part_fd, MEASURE_RENDEZVOUS_NAME, 0);
	close(part_fd);
	rmdir(directory);
	*strrchr(directory, '/') = '\0';
	rmdir(directory);
}

static int t_open_descriptors(void)
{
	int nr = 0;
	DIR *list = opendir("/proc/self/fd");

	while (readdir(list))
		nr++;
	closedir(list);
	return nr;
}

/* Exit status of the child: 0 got the segment, 1 turned away, 2 wrong descriptors. */
static pid_t t_claim(void)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	char text[8] = "", part[8] = "x";
	int fd = -1, before = t_open_descriptors();
	if (measure_rendezvous_connect(directory, MEASURE_WISH_SEGMENT, &fd, part, sizeof(part)) !=
		MEASURE_OK)
		_exit(t_open_descriptors() == before ? 1 : 2);
	if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC) || t_open_descriptors() != before + 1)
		_exit(2);
	_exit(pread(fd, text, 8, 0) == 8 && strcmp(text, "segment") == 0 &&
				strcmp(part, "other") == 0
			? 0
			: 2);
}

/* As a keeper does that awaits this process only. */
static measure_status_t t_serve_now(pid_t pid)
{
	measure_status_t status = MEASURE_ERROR_NOT_FOUND;
	static struct measure_visitor visitor;
	int connection = measure_rendezvous_accept(listen_fd, &visitor);

	if (connection < 0)
		return status;
	if (visitor.pid == pid)
		status = measure_rendezvous_hand_over(connection, segment_fd, "other");
	close(connection);
	return status;
}

static measure_status_t t_serve(pid_t pid)
{
	struct pollfd wait = {listen_fd, POLLIN, 0};

	poll(&wait, 1, 5000);
	return t_serve_now(pid);
}

static int t_status(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void the_awaited_process_gets_it(void)
{
	t_open();
	pid_t child = t_claim();
	CU_ASSERT_EQUAL(t_serve(child), MEASURE_OK);
	CU_ASSERT_EQUAL(t_status(child), 0);
	t_close();
}

static void another_process_is_turned_away(void)
{
	t_open();
	pid_t stranger = t_claim();
	CU_ASSERT_EQUAL(t_serve(getpid()), MEASURE_ERROR_NOT_FOUND);
	/* it asks once more: its keeper might have died over the question */
	CU_ASSERT_EQUAL(t_serve(getpid()), MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(t_status(stranger), 1);

	pid_t child = t_claim();
	CU_ASSERT_EQUAL(t_serve(child), MEASURE_OK);
	CU_ASSERT_EQUAL(t_status(child), 0);
	t_close();
}

static void without_a_keeper_it_is_over_at_once(void)
{
	char part[8];
	int fd;

	t_open();
	close(listen_fd);
	CU_ASSERT_EQUAL(measure_rendezvous_connect(directory, MEASURE_WISH_SEGMENT, &fd, part, 8),
		MEASURE_ERROR_NOT_FOUND);
	CU_ASSERT_EQUAL(
		measure_rendezvous_connect("/nonexistent", MEASURE_WISH_SEGMENT, &fd, part, 8),
		MEASURE_ERROR_NOT_FOUND);
	listen_fd = dup(part_fd);
	t_close();
}

static void a_second_keeper_answers(void)
{
	static struct measure_visitor visitor;

	t_open();
	pid_t child = t_claim();
	struct pollfd wait = {listen_fd, POLLIN, 0};
	poll(&wait, 1, 5000);
	close(measure_rendezvous_accept(listen_fd, &visitor)); /* as one does that dies */
	CU_ASSERT_EQUAL(t_serve(child), MEASURE_OK);
	CU_ASSERT_EQUAL(t_status(child), 0);
	t_close();
}

/* Also who has come already, and where another process has the socket. */
static void who_comes_too_late_is_turned_away_at_once(void)
{
	char part[8];
	int fd;

	t_open();
	int copy = dup(listen_fd);
	pid_t waiting = t_claim();
	struct pollfd wait = {listen_fd, POLLIN, 0};
	poll(&wait, 1, 5000);
	measure_rendezvous_close(listen_fd);
	CU_ASSERT_EQUAL(t_status(waiting), 1);
	CU_ASSERT_EQUAL(measure_rendezvous_connect(directory, MEASURE_WISH_SEGMENT, &fd, part, 8),
		MEASURE_ERROR_NOT_FOUND);
	listen_fd = copy;
	CU_ASSERT_EQUAL(t_serve_now(getpid()), MEASURE_ERROR_NOT_FOUND);
	t_close();
}

static void nobody_there_is_not_an_error(void)
{
	t_open();
	CU_ASSERT_EQUAL(t_serve_now(getpid()), MEASURE_ERROR_NOT_FOUND);
	t_close();
}

/* Who says nonsense is not let in, and nobody waits for him. */
static void nonsense_is_turned_away(void)
{
	static struct measure_visitor visitor;
	static const struct {
		const char *text;
		size_t size;
	} cases[] = {{"x", 1}, {"Sx", 2}, {"C\0", 2}, {"I", 1}, {"I\0", 2}, {"I/bin/true", 10},
		{"I/bin/true\0A=1", 14}, {"I\0A=1\0", 6}};
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	t_open();
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", part_fd,
		MEASURE_RENDEZVOUS_NAME);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0), before = t_open_descriptors();
		CU_ASSERT_EQUAL_FATAL(
			connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
		CU_ASSERT_EQUAL(send(fd, cases[i].text, cases[i].size, 0), (ssize_t)cases[i].size);
		CU_ASSERT_EQUAL(measure_rendezvous_accept(listen_fd, &visitor), -1);
		CU_ASSERT_EQUAL(t_open_descriptors(), before);
		close(fd);
	}
	t_close();
}

/* An answer of a keeper that is none: 1, and nothing is left behind. */
static void a_strange_answer_is_refused(void)
{
	static struct measure_visitor visitor;
	static const char *const parts[] = {"../other", "a/b", "..", "longer than there is room"};

	t_open();
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct pollfd wait = {listen_fd, POLLIN, 0};
		pid_t child = t_claim();
		poll(&wait, 1, 5000);
		int connection = measure_rendezvous_accept(listen_fd, &visitor);
		CU_ASSERT_FATAL(connection >= 0);
		measure_rendezvous_hand_over(connection, segment_fd, parts[i]);
		close(connection);
		CU_ASSERT_EQUAL(t_status(child), 1);
	}
	t_close();
}

/* One that asks for a program; 0: it got the answer. */
static pid_t t_ask(char *const *environment, const char *expected)
{
	char answer[64];
	int connection;
	size_t size;
	pid_t child = fork();

	if (child != 0)
		return child;
	if (measure_rendezvous_ask(directory, "/bin/true", environment, &connection, &size) !=
			MEASURE_OK ||
		size > sizeof(answer))
		_exit(1);
	if (measure_rendezvous_take(connection, answer, size) != MEASURE_OK)
		_exit(2);
	_exit(strcmp(answer, expected) != 0);
}

static void a_program_is_asked_for(void)
{
	static char long_one[MEASURE_VISITOR_TEXT];
	static struct measure_visitor visitor;
	char *few[] = {(char *)"A=1", (char *)"B=2", NULL}, *much[] = {long_one, NULL};
	static const char with[] = "/bin/true\0A=1\0B=2", without[] = "/bin/true";
	const struct {
		char *const *environment;
		const char *text;
		size_t size;
	} cases[] = {{few, with, sizeof(with)}, {much, without, sizeof(without)},
		{NULL, without, sizeof(without)}};

	memset(long_one, 'x', sizeof(long_one) - 1);
	t_open();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pollfd wait = {listen_fd, POLLIN, 0};
		pid_t child = t_ask(cases[i].environment, i == 0 ? "" : "/lib/libmeasure.so");
		poll(&wait, 1, 5000);
		int connection = measure_rendezvous_accept(listen_fd, &visitor);
		CU_ASSERT_FATAL(connection >= 0);
		CU_ASSERT_EQUAL(visitor.pid, child);
		CU_ASSERT_EQUAL(visitor.wish, MEASURE_WISH_IMAGE);
		CU_ASSERT_EQUAL(visitor.size, cases[i].size);
		CU_ASSERT_EQUAL(memcmp(visitor.text, cases[i].text, cases[i].size), 0);
		measure_rendezvous_answer(connection, i == 0 ? "" : "/lib/libmeasure.so");
		close(connection);
		CU_ASSERT_EQUAL(t_status(child), 0);
	}
	t_close();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"the awaited process gets it", the_awaited_process_gets_it},
		{"another process is turned away", another_process_is_turned_away},
		{"a second keeper answers", a_second_keeper_answers},
		{"who comes too late is turned away at once",
			who_comes_too_late_is_turned_away_at_once},
		{"without a keeper it is over at once", without_a_keeper_it_is_over_at_once},
		{"nobody there is not an error", nobody_there_is_not_an_error},
		{"nonsense is turned away", nonsense_is_turned_away},
		{"a strange answer is refused", a_strange_answer_is_refused},
		{"a program is asked for", a_program_is_asked_for},
		CU_TEST_INFO_NULL,
	};

	return t_suite("rendezvous", NULL, NULL, tests);
}
