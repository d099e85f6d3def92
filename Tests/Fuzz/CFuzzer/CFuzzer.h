#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the arguments of a program. Calls the function with each input; it returns 0.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));

/// Sets the function that is called when the processor time of `limit_time` is used up.
void watch_time(void (*exceeded)(void));
/// Limits the processor time from here on, in seconds; 0 for no limit.
void limit_time(int seconds);

/// Counts the bytes that are allocated from here on. Calls the function once when they exceed the limit.
void watch_memory(size_t limit, void (*exceeded)(void));
/// Forgets the most bytes so far.
void restart_memory(void);
/// Returns the most bytes that were allocated at once since the restart, above those of the restart.
size_t most_memory(void);
