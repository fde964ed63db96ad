// Runs a command with its output thrown away and prints what it took: seconds of wall clock, seconds of processor time,
// peak memory in KiB, and how it ended (exit code, or 128 + signal).
//
// In C because a child is charged the memory its parent had when it was started: this parent has next to none.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: measure-run COMMAND [ARGUMENT...]\n");
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child;
  double begin = now();
  int failure = posix_spawnp(&child, arguments[1], &actions, NULL, arguments + 1, environ);
  if (failure) {
    fprintf(stderr, "measure-run: %s: %s\n", arguments[1], strerror(failure));
    return 2;
  }
  int status;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) return 2;
  double wall = now() - begin;
  printf("%.4f %.4f %ld %d\n", wall, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss,
         WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  return 0;
}
