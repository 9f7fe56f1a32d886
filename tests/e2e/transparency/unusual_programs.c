/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that does in one of many ways what few programs do: closes all descriptors, leaves its
 * directory or its rights, locks its memory, runs on other stacks. Compiled with
 * -finstrument-functions; comes to after() once in every way. */
#include "config.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define LOCKED (64 << 20) /* bytes at most */

extern char **environ;

static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}

/* More than a chunk holds, so that memory is taken and written after the strange thing. */
static int after(int result)
{
	for (int i = 0; i < 80; i++)
		result += work(10) - 55;
	return result;
}

/* --------------------------------------------------------- descriptors, directories --- */

static int close_descriptors(void)
{
	int fds[3], nr = 0;

	work(5);
	closefrom(3);
	for (int fd = open("/dev/null", O_RDONLY); fd >= 0 && nr < 3; fd = dup(fd))
		fds[nr++] = fd;
	printf("descriptors %d %d %d\n", fds[0], fds[1], fds[2]);
	return after(1);
}

static int close_all(void)
{
	work(5);
	closefrom(0);
	return after(open("/dev/null", O_RDONLY) == 0 ? 2 : 3);
}

static int change_directory(void)
{
	char path[64];

	work(5);
	if (chdir("/") != 0 || !getcwd(path, sizeof(path)))
		return 99;
	printf("in %s\n", path);
	return after(3);
}

/* Nothing is there any more: no /proc, no run directory. */
static int change_root(void)
{
	char path[] = "root-XXXXXX";

	work(5);
	if (!mkdtemp(path))
		return 99;
	if (chroot(path) != 0 || chdir("/") != 0) {
		rmdir(path);
		return 97;
	}
	printf("%d %d\n", access("/proc", F_OK) != 0, access("/tmp", F_OK) != 0);
	return after(4);
}

static int drop_rights(void)
{
	work(5);
	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 97;
	printf("user %d, root again %d\n", (int)getuid(), setuid(0) == 0);
	return after(5);
}

/* ------------------------------------------------------------------ locked memory --- */

static bool is_locked_little(void)
{
	char line[256];
	long size = -1;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmLck: %ld", &size) == 1)
			break;
	if (status)
		fclose(status);
	return size > 1000 && size < LOCKED / 1024;
}

/* Everything that is mapped fits into the limit, which holds without rights. */
static int lock_memory(void)
{
	struct rlimit limit;

	work(5);
	if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0)
		return 99;
	limit.rlim_cur = limit.rlim_max < LOCKED ? limit.rlim_max : LOCKED;
	if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0)
		return 99;
	printf("locked as root: %d", mlockall(MCL_CURRENT | MCL_FUTURE));
	printf(", little: %d", is_locked_little());
	printf(", unlocked: %d\n", munlockall());
	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 97;
	printf("locked: %d", mlockall(MCL_CURRENT));
	printf(", little: %d", is_locked_little());
	printf(", wrong flags: %d\n", mlockall(MCL_CURRENT | 64));
	return after(12);
}

/* ----------------------------------------------------------------------- no clock --- */

static int forbid_clock(void)
{
	work(5);
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
		return 97;
	return after(13);
}

static int forbid_calls(void)
{
	work(5);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return 97;
	syscall(SYS_exit, after(14));
	return 98;
}

/* --------------------------------------------------------------------- environment --- */

static int count_variables(void)
{
	int nr = 0;

	while (environ && environ[nr])
		nr++;
	return nr;
}

static int clear_environment(void)
{
	const char *preload = getenv("LD_PRELOAD");

	printf("preloaded %s\n", preload ? preload : "nothing");
	setenv("LD_PRELOAD", "libm.so.6", 1);
	printf("preloaded %s\n", getenv("LD_PRELOAD"));
	clearenv();
	printf("variables %d\n", count_variables());
	putenv((char *)"ONE=1");
	if (system("env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=") != 0)
		return 99;
	return after(6);
}

static int pass_nothing_on(void)
{
	char *none[] = {NULL}, *arguments[] = {(char *)"env", NULL};
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		execve("/usr/bin/env", arguments, none);
		_exit(99);
	}
	waitpid(child, &status, 0);
	printf("env said nothing: %d\n", WEXITSTATUS(status));
	return after(7);
}

static int use_shells(void)
{
	char line[64] = "";
	FILE *shell = popen("echo said; exit 3", "r");

	if (!shell || !fgets(line, sizeof(line), shell))
		return 99;
	printf("%s", line);
	printf("status %d\n", WEXITSTATUS(pclose(shell)));
	fflush(stdout);
	printf("status %d\n", WEXITSTATUS(system("kill -9 $$; exit 4")));
	printf("status %d\n", WEXITSTATUS(system("nosuchprogram 2>/dev/null")));
	printf("a shell is there: %d\n", system(NULL) != 0);
	return after(8);
}

/* -------------------------------------------------------------------- other stacks --- */

static sigjmp_buf back;
static volatile sig_atomic_t nr_handled;

static void handle(int number)
{
	(void)number;
	work(6);
	if (++nr_handled == 2)
		siglongjmp(back, 1);
}

static int use_signal_stack(void)
{
	static char memory[64 * 1024];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	if (sigsetjmp(back, 1) == 0)
		raise(SIGUSR1);
	printf("handled %d\n", (int)nr_handled);
	return after(9);
}

static ucontext_t contexts[3];
static int sum;

static void run_coroutine(int number)
{
	for (int i = 0; i < 10; i++) {
		sum += work(5 + number);
		swapcontext(&contexts[number], &contexts[1 - number]);
	}
}

/* Two that take turns, each with a function open that the other has not entered. */
static int use_coroutines(void)
{
	static char memory[2][64 * 1024];

	for (int i = 0; i < 2; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = memory[i];
		contexts[i].uc_stack.ss_size = sizeof(memory[i]);
		contexts[i].uc_link = &contexts[2];
		makecontext(&contexts[i], (void (*)(void))run_coroutine, 1, i);
	}
	swapcontext(&contexts[2], &contexts[0]);
	printf("sum %d\n", sum);
	return after(10);
}

static jmp_buf out;

static volatile int is_jumping = 1;

static int jump_from(int depth)
{
	if (depth > 0)
		return jump_from(depth - 1) + 1;
	if (is_jumping)
		longjmp(out, 1);
	return 0;
}

static int jump(void)
{
	volatile int nr = 0;

	if (setjmp(out) == 0 || ++nr < 10)
		jump_from(nr);
	printf("jumps %d\n", nr);
	return after(11);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		int (*function)(void);
	} ways[] = {{"descriptors", close_descriptors}, {"all-descriptors", close_all},
		{"directory", change_directory}, {"root", change_root}, {"rights", drop_rights},
		{"environment", clear_environment}, {"nothing", pass_nothing_on},
		{"shells", use_shells}, {"signal-stack", use_signal_stack},
		{"coroutines", use_coroutines}, {"jumps", jump}, {"locked-memory", lock_memory},
		{"no-clock", forbid_clock}, {"no-calls", forbid_calls}};

	for (size_t i = 0; count > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(arguments[1], ways[i].name) == 0)
			return ways[i].function();
	return 98;
}
