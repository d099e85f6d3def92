// Functions of glibc that its headers declare under _XOPEN_SOURCE or _GNU_SOURCE only; Swift builds its module of glibc
// without them.
#include <spawn.h>
#include <stddef.h>
#include <wchar.h>

extern void *memmem(const void *text, size_t textLength, const void *part, size_t partLength);
extern int wcwidth(wchar_t codePoint);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int res_query(const char *name, int class, int type, unsigned char *answer, int length);
