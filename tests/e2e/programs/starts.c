/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that starts itself, as `starts target STATUS`, in one of many ways. Compiled with
 * -finstrument-functions: what either does in work() is in the trace. The target says what it finds
 * in its environment. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char self[4096];
static char *target[] = {(char *)"starts", (char *)"target", (char *)"3", NULL};

static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "-";
}

static int be_target(int status)
{
	int nr = 0;

	while (environ[nr])
		nr++;
	printf("target %d: %d, %d variables, LD_PRELOAD %s, MEASURE_PART %s, TEST %s\n", status,
		work(10), nr, variable("LD_PRELOAD"), variable("MEASURE_PART"), variable("TEST"));
	fflush(stdout);
	if (status == 9)
		raise(SIGKILL);
	return status;
}

/* --------------------------------------------------------------------------- exec() --- */

static const char *name; /* of the file to be executed */

static void by_execve(void)
{
	execve(name, target, environ);
}

static void by_execv(void)
{
	execv(name, target);
}

static void by_execvp(void)
{
	execvp(name, target);
}

static void by_execvpe(void)
{
	execvpe(name, target, environ);
}

static void by_execl(void)
{
	execl(name, "starts", "target", "3", (char *)NULL);
}

static void by_execlp(void)
{
	execlp(name, "starts", "target", "3", (char *)NULL);
}

static void by_execle(void)
{
	execle(name, "starts", "target", "3", (char *)NULL, environ);
}

static void by_fexecve(void)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		fexecve(fd, target, environ);
}

static void by_path_execvp(void)
{
	const char *file = strrchr(name, '/') + 1;
	char path[4200];

	snprintf(path, sizeof(path), "/nowhere:%.*s:/bin", (int)(file - 1 - name), name);
	setenv("PATH", path, 1);
	execvp(file, target);
}

static const struct {
	const char *name;
	void (*function)(void);
} execs[] = {{"execve", by_execve}, {"execv", by_execv}, {"execvp", by_execvp},
	{"execvpe", by_execvpe}, {"execl", by_execl}, {"execlp", by_execlp}, {"execle", by_execle},
	{"fexecve", by_fexecve}, {"path", by_path_execvp}};
#define NR_EXECS (sizeof(execs) / sizeof(execs[0]))

static void say(const char *how, pid_t child)
{
	int status = 0;

	if (child < 0 || waitpid(child, &status, 0) != child)
		printf("%s: failed\n", how);
	else if (WIFSIGNALED(status))
		printf("%s: signal %d\n", how, WTERMSIG(status));
	else
		printf("%s: status %d\n", how, WEXITSTATUS(status));
	fflush(stdout);
}

static int in_forked(void)
{
	for (size_t i = 0; i < NR_EXECS; i++) {
		pid_t child = fork();
		if (child == 0) {
			execs[i].function();
			_exit(99);
		}
		say(execs[i].name, child);
	}
	return 0;
}

/* What the child calls must not be in the parent's trace. */
static int in_vforked(void)
{
	for (size_t i = 0; i < NR_EXECS - 1; i++) { /* the last one changes the environment */
		pid_t child = vfork();
		if (child == 0) {
			execs[i].function();
			_exit(work(5));
		}
		say(execs[i].name, child);
	}
	return work(5);
}

static int vfork_only(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = vfork();
		if (child == 0)
			_exit(work(10) + i);
		say("vfork", child);
	}
	return work(1);
}

/* All of them, of a file that is not there: nothing is different afterwards. */
static int failing(void)
{
	pid_t child;

	name = "/nonexistent/no-such-file";
	for (size_t i = 0; i < NR_EXECS; i++) {
		errno = 0;
		execs[i].function();
		printf("%s: %s\n", execs[i].name, strerror(errno));
	}
	printf("spawn: %d\n", posix_spawn(&child, name, NULL, NULL, target, environ));
	printf("spawnp: %d\n", posix_spawnp(&child, "nonexistent", NULL, NULL, target, environ));
	child = vfork();
	if (child == 0) {
		execv(name, target);
		_exit(errno);
	}
	say("vfork", child);
	printf("%d %s\n", work(10), variable("MEASURE_PART"));
	return 4;
}

/* ---------------------------------------------------------------------- other ways --- */

static int spawned(void)
{
	pid_t child;

	if (posix_spawn(&child, self, NULL, NULL, target, environ) == 0)
		say("spawn", child);
	if (posix_spawnp(&child, self, NULL, NULL, target, environ) == 0)
		say("spawnp", child);
	return 0;
}

static int many(void)
{
	int sum = 0, status;

	if (!freopen("/dev/null", "w", stdout))
		return 99;
	for (int i = 0; i < 100; i++) {
		pid_t child;
		if (posix_spawn(&child, self, NULL, NULL, target, environ) == 0 &&
			waitpid(child, &status, 0) == child)
			sum += WEXITSTATUS(status);
	}
	return sum == 300 ? 7 : 99;
}

static int by_shell(void)
{
	char line[8192];
	int status;

	snprintf(line, sizeof(line), "%s target 5; exit 6", self);
	status = system(line);
	printf("system: %d\n", WEXITSTATUS(status));
	printf("no such command: %d\n", WEXITSTATUS(system("nonexistent-command")));
	printf("killed: %d\n", WTERMSIG(system("kill -9 $$")));
	printf("shell: %d\n", system(NULL) != 0);
	return 0;
}

static int by_pipe(void)
{
	char line[8192];
	FILE *stream;

	fflush(stdout);
	snprintf(line, sizeof(line), "%s target 5", self);
	stream = popen(line, "r");
	if (stream && fgets(line, sizeof(line), stream))
		printf("read %s", line);
	printf("popen: %d\n", stream ? WEXITSTATUS(pclose(stream)) : -1);
	fflush(stdout);
	stream = popen("cat; exit 2", "w");
	if (stream)
		fputs("written\n", stream);
	printf("popen: %d %s\n", stream ? WEXITSTATUS(pclose(stream)) : -1, variable("LD_PRELOAD"));
	return 0;
}

/* Environments that the program makes itself. */
static int own_environment(void)
{
	char *const given[] = {(char *)"TEST=given", (char *)"LD_PRELOAD=", NULL};
	char *const with_other[] = {(char *)"LD_PRELOAD=libm.so.6", (char *)"TEST=other", NULL};
	pid_t child;

	if (posix_spawn(&child, self, NULL, NULL, target, given) == 0)
		say("given", child);
	if (posix_spawn(&child, self, NULL, NULL, target, with_other) == 0)
		say("with other", child);
	child = fork();
	if (child == 0) {
		clearenv();
		execv(self, target);
		_exit(99);
	}
	say("cleared", child);
	child = fork();
	if (child == 0) {
		char *const *none = NULL;
		syscall(SYS_execve, self, target, none);
		_exit(99);
	}
	say("none", child);
	return 0;
}

static void *work_on(void *unused)
{
	(void)unused;
	while (work(5) > 0)
		usleep(1000);
	return NULL;
}

static void *become_target(void *unused)
{
	(void)unused;
	usleep(20000);
	execv(self, target);
	return NULL;
}

static int in_thread(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, i == 2 ? become_target : work_on, NULL) != 0)
			return 99;
	pthread_join(threads[2], NULL);
	return 98;
}

/* A child is killed, and one is there longer than its parent. */
static int outlived(void)
{
	char *const killed[] = {(char *)"starts", (char *)"target", (char *)"9", NULL};
	char *const later[] = {
		(char *)"sh", (char *)"-c", (char *)"sleep 0.3; exec \"$0\" target 4", self, NULL};
	pid_t child;

	if (posix_spawn(&child, self, NULL, NULL, killed, environ) == 0)
		say("killed", child);
	return posix_spawnp(&child, "sh", NULL, NULL, later, environ);
}

/* A program into which nothing may be preloaded, or can be. */
static int other(const char *file)
{
	pid_t child;

	if (posix_spawn(&child, file, NULL, NULL, target, environ) == 0)
		say("other", child);
	return 0;
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		int (*function)(void);
	} ways[] = {{"forked", in_forked}, {"vforked", in_vforked}, {"vfork", vfork_only},
		{"failing", failing}, {"spawned", spawned}, {"many", many}, {"shell", by_shell},
		{"pipe", by_pipe}, {"environment", own_environment}, {"thread", in_thread},
		{"outlived", outlived}};
	const char *how = count > 1 ? arguments[1] : "";
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[length > 0 ? length : 0] = '\0';
	name = self;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (count > 2 && strcmp(how, "target") == 0)
		return be_target(atoi(arguments[2]));
	if (count > 2 && strcmp(how, "other") == 0)
		return other(arguments[2]);
	work(5);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(how, ways[i].name) == 0)
			return ways[i].function();
	for (size_t i = 0; i < NR_EXECS; i++)
		if (strcmp(how, execs[i].name) == 0)
			execs[i].function();
	return 98;
}
