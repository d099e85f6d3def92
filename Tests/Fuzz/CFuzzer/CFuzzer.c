#include "CFuzzer.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

// The interface of AddressSanitizer (sanitizer/allocator_interface.h).
int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *memory);

static void (*late)(void);

static void ran_late(int signal) {
  (void)signal;
  late();
}

void watch_time(void (*exceeded)(void)) {
  late = exceeded;
  signal(SIGPROF, ran_late);
}

void limit_time(int seconds) {
  struct itimerval time = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &time, NULL);
}

static atomic_long current, base, most;
static size_t limit;
static void (*exceeded)(void);

static void allocated(const volatile void *memory, size_t size) {
  (void)memory;
  long now = atomic_fetch_add_explicit(&current, (long)size, memory_order_relaxed) + (long)size - base;
  if (now > most) most = now;
  if (now > (long)limit && exceeded) {
    void (*report)(void) = exceeded;
    exceeded = NULL;
    report();
  }
}

static void freed(const volatile void *memory) {
  if (memory) atomic_fetch_sub_explicit(&current, (long)__sanitizer_get_allocated_size(memory), memory_order_relaxed);
}

void watch_memory(size_t bytes, void (*report)(void)) {
  limit = bytes;
  exceeded = report;
  __sanitizer_install_malloc_and_free_hooks(allocated, freed);
}

void restart_memory(void) {
  base = current;
  most = 0;
}

size_t most_memory(void) { return most; }
