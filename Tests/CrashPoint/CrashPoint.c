// Kills the program that it is loaded into (LD_PRELOAD) at one of its system calls, or lets the call fail. Only tests
// load it.
//
// Calls count from 1, in all threads together, when they open or change something in a folder:
//   CRASH_POINT_FOLDER   the folder's path, absolute
//   CRASH_POINT_SOCKETS  with any value, what is sent over a socket counts as well
//   CRASH_POINT_LOG      a file that gets a line for each call: its number, its name, "made" or "failed", its path
//   CRASH_POINT_AT       the number of the call; without it nothing is killed and nothing fails
//   CRASH_POINT_WHEN     "before" the call (the default), "after" it, or "half": a write has written half by then
//   CRASH_POINT_FAIL     the call fails instead: EIO, ENOSPC, EINTR, ECONNRESET, or SHORT, which writes half. A call that
//                        can't fail so does not fail.
//   CRASH_POINT_LASTING  with any value, each later call fails as well
// The library also plants faults. On files whose names end so:
//   CRASH_POINT_FLIP     one bit of what is written is wrong
//   CRASH_POINT_DROP     nothing is written, and the program is not told
//   CRASH_POINT_HASTY    the file of this name is removed as soon as any file beside it gets its final name
//   CRASH_POINT_SWALLOW  with any value, a call that fails reports success, as if the program ignored its error
//
// And it records the changes, for Tests/Torture/powercuts.py, which rebuilds what a power cut leaves:
//   CRASH_POINT_RECORD   the file to which each change in the folder is appended, with each write to descriptors 1 to 3
//
// With CRASH_POINT_LOCKS, each flock fails with that error, such as ENOLCK, as on a file system without locks;
// with CRASH_POINT_LOCKS_ON, each of a file or folder whose path ends so.
//
// Changes of SQLite's shared memory (-shm) are not calls. A kill before the next call leaves them done.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder, *flip, *drop, *hasty;
static int counts_sockets, is_lasting, swallows, journal = -1;
/// `folder` without symbolic links, as /proc has the paths of descriptors.
static char resolved[PATH_MAX];
static long last;
static enum { BEFORE, AFTER, HALF } when;
/// The error of a call that fails; -1 for a write of half, 0 to kill.
static int failure;
static atomic_long calls;
/// The descriptor of the record, or -1.
static int recording = -1;
/// Held from a call to its record: the record has the calls of all threads in the order of their effects.
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static int number_of(const char *name) {
    if (name == NULL) return 0;
    if (strcmp(name, "EIO") == 0) return EIO;
    if (strcmp(name, "ENOSPC") == 0) return ENOSPC;
    if (strcmp(name, "EINTR") == 0) return EINTR;
    if (strcmp(name, "ECONNRESET") == 0) return ECONNRESET;
    if (strcmp(name, "ENOLCK") == 0) return ENOLCK;
    if (strcmp(name, "EOPNOTSUPP") == 0) return EOPNOTSUPP;
    if (strcmp(name, "EBADF") == 0) return EBADF;
    if (strcmp(name, "SHORT") == 0) return -1;
    abort();
}

__attribute__((constructor)) static void read_environment(void) {
    folder = getenv("CRASH_POINT_FOLDER");
    if (folder == NULL || realpath(folder, resolved) == NULL) resolved[0] = 0;
    const char *at = getenv("CRASH_POINT_AT"), *moment = getenv("CRASH_POINT_WHEN");
    last = at == NULL ? 0 : atol(at);
    if (moment != NULL) when = strcmp(moment, "after") == 0 ? AFTER : strcmp(moment, "half") == 0 ? HALF : BEFORE;
    flip = getenv("CRASH_POINT_FLIP");
    drop = getenv("CRASH_POINT_DROP");
    hasty = getenv("CRASH_POINT_HASTY");
    counts_sockets = getenv("CRASH_POINT_SOCKETS") != NULL;
    is_lasting = getenv("CRASH_POINT_LASTING") != NULL;
    swallows = getenv("CRASH_POINT_SWALLOW") != NULL;
    failure = number_of(getenv("CRASH_POINT_FAIL"));
    const char *log = getenv("CRASH_POINT_LOG");
    if (log != NULL) journal = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *record = getenv("CRASH_POINT_RECORD");
    if (record == NULL) return;
    long opened = syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    // A high number: the program's own descriptors get the numbers that they would have without the record.
    recording = fcntl((int)opened, F_DUPFD_CLOEXEC, 500);
    syscall(SYS_close, opened);
}

static int is_below(const char *path, const char *top) {
    size_t length = top == NULL ? 0 : strlen(top);
    return length > 0 && strncmp(path, top, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_inside(const char *path) { return is_below(path, folder) || is_below(path, resolved); }

static int ends(const char *path, const char *end) {
    size_t length = strlen(path), ending = end == NULL ? 0 : strlen(end);
    return ending > 0 && length >= ending && strcmp(path + length - ending, end) == 0;
}

/// The path of an open file; empty when it has none.
static void find_path(int descriptor, char path[PATH_MAX]) {
    char link[40] = "/proc/self/cwd";
    if (descriptor != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long count = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[count < 0 ? 0 : count] = 0;
}

static int is_file_inside(int descriptor) {
    int error = errno;
    char path[PATH_MAX];
    find_path(descriptor, path);
    errno = error;
    return is_inside(path);
}

static int is_path_inside(int at, const char *path) {
    if (path == NULL) return 0;
    return path[0] == '/' ? is_inside(path) : is_file_inside(at);
}

/// Kinds of calls, by the errors that they may return (their manual pages, and signal(7) on EINTR).
enum {
    OPENING,    // to read
    CREATING,   // or to write
    NAMING,     // a folder, a link or a new name
    REMOVING,   // a name, or changing a mode
    WRITING,
    SIZING,     // a file
    SYNCING,
    SENDING,
};

static int may_fail(int kind) {
    switch (failure) {
    case EIO: return kind != SENDING;
    case ENOSPC: return kind != OPENING && kind != REMOVING && kind != SENDING;
    case EINTR: return kind != NAMING && kind != REMOVING && kind != SYNCING;
    case ECONNRESET: return kind == SENDING;
    case -1: return kind == WRITING || kind == SENDING;
    default: return 0;
    }
}

static void note(long number, const char *name, int fails, int at, const char *path) {
    int error = errno;
    char found[PATH_MAX], line[PATH_MAX + 64];
    int is_open = path == NULL || path[0] == 0;
    if (is_open) find_path(at, found);
    int length = snprintf(
        line, sizeof line, "%ld %s %s %s\n", number, name, fails ? "failed" : "made", is_open ? found : path);
    if (length < (int)sizeof line) syscall(SYS_write, journal, line, length);
    errno = error;
}

/// A call that counts or not, and what is to happen to it.
struct call {
    int is_last, fails;
};

/// Counts the call.
static struct call count_call(int counts, int kind, const char *name, int at, const char *path) {
    if (!counts) return (struct call){0, 0};
    long number = atomic_fetch_add(&calls, 1) + 1;
    int is_met = last > 0 && (number == last || (is_lasting && number > last));
    int fails = is_met && may_fail(kind);
    if (journal >= 0) note(number, name, fails, at, path);
    return (struct call){is_met && failure == 0, fails};
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/// Returns what a call that fails returns.
static long fail(long success) {
    if (swallows) return success;
    errno = failure;
    return -1;
}

// MARK: Recording

static void begin(void) {
    if (recording >= 0) pthread_mutex_lock(&order);
}

/// Appends a change: its kind, two paths (relative ones begin in the folder of `at`), a number and bytes.
static void record(char kind, int at, const char *path, int to, const char *other, int64_t number, const void *bytes,
                   size_t count) {
    int error = errno;
    char whole[2][PATH_MAX] = {"", ""};
    const struct { int at; const char *path; } names[2] = {{at, path}, {to, other}};
    for (int i = 0; i < 2; i++) {
        if (names[i].path != NULL && names[i].path[0] == '/') snprintf(whole[i], PATH_MAX, "%s", names[i].path);
        if (names[i].path == NULL || names[i].path[0] == '/') continue;
        find_path(names[i].at, whole[i]);
        size_t length = strlen(whole[i]);
        if (names[i].path[0] != 0) snprintf(whole[i] + length, PATH_MAX - length, "/%s", names[i].path);
    }
    struct __attribute__((packed)) { char kind; uint16_t path, other; int64_t number; uint64_t count; } head = {
        kind, (uint16_t)strlen(whole[0]), (uint16_t)strlen(whole[1]), number, count};
    struct iovec parts[] = {{&head, sizeof head}, {whole[0], head.path}, {whole[1], head.other}, {(void *)bytes, count}};
    syscall(SYS_writev, recording, parts, 4);
    errno = error;
}

static void end(void) {
    if (recording >= 0) pthread_mutex_unlock(&order);
}

/// Makes a call which is not a write, and records it if it succeeds.
#define CALL_AND_RECORD(counts, kind, at, path, system_call, change, to, other, number)         \
    int is_counted = counts;                                                                    \
    struct call this = count_call(is_counted, kind, __func__, at, path);                        \
    if (this.fails) return fail(0);                                                             \
    if (this.is_last && when != AFTER) die();                                                   \
    if (is_counted) begin();                                                                    \
    long result = system_call;                                                                  \
    if (is_counted && recording >= 0 && result >= 0) record(change, at, path, to, other, number, NULL, 0); \
    if (is_counted) end();                                                                      \
    if (this.is_last) die();                                                                    \
    return result
#define CALL(counts, kind, at, path, system_call, change) \
    CALL_AND_RECORD(counts, kind, at, path, system_call, change, AT_FDCWD, NULL, 0)
#define CALL_FILE(kind, system_call, change, number) \
    CALL_AND_RECORD(is_file_inside(file), kind, file, "", system_call, change, AT_FDCWD, NULL, number)

// MARK: Opening and naming

static int open_at(int at, const char *path, int flags, mode_t mode) {
    int kind = (flags & O_ACCMODE) == O_RDONLY && !(flags & O_CREAT) ? OPENING : CREATING;
    int counts = is_path_inside(at, path);
    struct call this = count_call(counts, kind, kind == OPENING ? "open" : "create", at, path);
    if (this.fails && !swallows) return (int)fail(0);
    if (this.is_last && when != AFTER) die();
    if (counts) begin();
    long result = syscall(SYS_openat, at, path, flags, mode);
    int is_recorded = counts && recording >= 0 && result >= 0 && flags & (O_CREAT | O_TRUNC);
    if (is_recorded) record('o', at, path, AT_FDCWD, NULL, flags & O_TRUNC ? 1 : 0, NULL, 0);
    if (counts) end();
    if (this.is_last) die();
    return (int)result;
}

#define MODE(flags, mode)                                   \
    mode_t mode = 0;                                        \
    if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) {   \
        va_list list;                                       \
        va_start(list, flags);                              \
        mode = va_arg(list, mode_t);                        \
        va_end(list);                                       \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
    MODE(flags, mode);
    return open_at(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
    MODE(flags, mode);
    return open_at(at, path, flags, mode);
}

// What the compiler makes of open() without a mode where it looks for overflows.
int __open_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_at(AT_FDCWD, path, flags, 0); }
int __openat_2(int at, const char *path, int flags) { return open_at(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return open_at(at, path, flags, 0); }

int mkdirat(int at, const char *path, mode_t mode) {
    CALL(is_path_inside(at, path), NAMING, at, path, syscall(SYS_mkdirat, at, path, mode), 'm');
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int at, const char *path, int flags) {
    CALL(is_path_inside(at, path), REMOVING, at, path, syscall(SYS_unlinkat, at, path, flags), 'u');
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char *path) {
    if (unlink(path) == 0) return 0;
    return errno == EISDIR ? rmdir(path) : -1;
}

/// Removes what should still be there.
static void hurry(const char *path) {
    const char *slash = strrchr(path, '/');
    if (hasty == NULL || slash == NULL) return;
    char neighbour[PATH_MAX];
    snprintf(neighbour, sizeof neighbour, "%.*s/%s", (int)(slash - path), path, hasty);
    unlink(neighbour);
}

static int rename_at(int from, const char *old, int to, const char *new, unsigned flags) {
    int counts = is_path_inside(from, old) || is_path_inside(to, new);
    struct call this = count_call(counts, NAMING, "rename", from, old);
    if (this.fails) return (int)fail(0);
    if (this.is_last && when != AFTER) die();
    if (counts) begin();
    int result = (int)syscall(SYS_renameat2, from, old, to, new, flags);
    if (counts && recording >= 0 && result == 0) record('r', from, old, to, new, flags, NULL, 0);
    if (counts) end();
    if (this.is_last) die();
    if (counts && result == 0) hurry(new);
    return result;
}

int rename(const char *old, const char *new) { return rename_at(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return rename_at(from, old, to, new, 0); }

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    return rename_at(from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
    CALL_AND_RECORD(is_path_inside(to, new), NAMING, from, old, syscall(SYS_linkat, from, old, to, new, flags), 'l', to, new,
                    0);
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

// MARK: Writing

/// - offset: -1 is where the file stands.
static ssize_t put(int file, const void *bytes, size_t count, off_t offset) {
    if (offset < 0) return syscall(SYS_write, file, bytes, count);
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}

static ssize_t put_wrongly(int file, const void *bytes, size_t count, off_t offset) {
    char path[PATH_MAX];
    if (flip != NULL || drop != NULL) find_path(file, path);
    if (ends(path, drop)) return (ssize_t)count;
    ssize_t result = put(file, bytes, count, offset);
    if (result > 0 && ends(path, flip)) {
        off_t middle = result / 2, start = offset < 0 ? lseek(file, 0, SEEK_CUR) - result : offset;
        char wrong = ((const char *)bytes)[middle] ^ 1;
        put(file, &wrong, 1, start + middle);
    }
    return result;
}

/// Writes, and records what was written.
static ssize_t put_and_record(int file, const void *bytes, size_t count, off_t offset, int counts) {
    int is_recorded = recording >= 0 && (counts || (file >= 1 && file <= 3));
    if (is_recorded) begin();
    ssize_t result = counts ? put_wrongly(file, bytes, count, offset) : put(file, bytes, count, offset);
    if (is_recorded && result > 0) {
        int64_t start = offset >= 0 || !counts ? offset : lseek(file, 0, SEEK_CUR) - result;
        record(counts ? 'w' : 'a', file, "", AT_FDCWD, NULL, start, bytes, (size_t)result);
    }
    if (is_recorded) end();
    return result;
}

static ssize_t write_at(int file, const void *bytes, size_t count, off_t offset) {
    int counts = is_file_inside(file);
    struct call this = count_call(counts, WRITING, "write", file, NULL);
    if (this.fails && failure > 0) return fail((ssize_t)count);
    if (this.fails) {
        ssize_t written = put_and_record(file, bytes, (count + 1) / 2, offset, counts);
        return swallows ? (ssize_t)count : written;
    }
    if (this.is_last && when == HALF) put(file, bytes, count / 2, offset);
    if (this.is_last && when != AFTER) die();
    ssize_t result = put_and_record(file, bytes, count, offset, counts);
    if (this.is_last) die();
    return result;
}

ssize_t write(int file, const void *bytes, size_t count) { return write_at(file, bytes, count, -1); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return write_at(file, bytes, count, offset); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
    return write_at(file, bytes, count, offset);
}

/// Writes its first part alone, as a short write may.
ssize_t writev(int file, const struct iovec *parts, int count) {
    if (count < 1 || !is_file_inside(file)) return syscall(SYS_writev, file, parts, count);
    return write_at(file, parts[0].iov_base, parts[0].iov_len, -1);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    struct call this = count_call(counts_sockets, SENDING, "send", file, "socket");
    // A connection that was reset gives no answer either.
    if (this.fails && failure == ECONNRESET) syscall(SYS_shutdown, file, SHUT_RDWR);
    if (this.fails && failure > 0) return fail((ssize_t)count);
    if (this.fails) {
        ssize_t sent = syscall(SYS_sendto, file, bytes, (count + 1) / 2, flags, NULL, 0);
        return swallows ? (ssize_t)count : sent;
    }
    if (this.is_last && when == HALF) syscall(SYS_sendto, file, bytes, count / 2, flags, NULL, 0);
    if (this.is_last && when != AFTER) die();
    ssize_t result = syscall(SYS_sendto, file, bytes, count, flags, NULL, 0);
    if (this.is_last) die();
    return result;
}

int ftruncate(int file, off_t size) {
    CALL_FILE(SIZING, syscall(SYS_ftruncate, file, size), 't', size);
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int truncate(const char *path, off_t size) {
    CALL_AND_RECORD(is_path_inside(AT_FDCWD, path), SIZING, AT_FDCWD, path, syscall(SYS_truncate, path, size), 't', AT_FDCWD,
                    NULL, size);
}
int fallocate(int file, int mode, off_t offset, off_t size) {
    CALL_FILE(SIZING, syscall(SYS_fallocate, file, mode, offset, size), 'x', 0);
}

int fsync(int file) { CALL_FILE(SYNCING, syscall(SYS_fsync, file), 's', 0); }
int fdatasync(int file) { CALL_FILE(SYNCING, syscall(SYS_fdatasync, file), 's', 0); }

/// A mode is not recorded.
int fchmod(int file, mode_t mode) {
    struct call this = count_call(is_file_inside(file), REMOVING, "fchmod", file, NULL);
    if (this.fails) return (int)fail(0);
    if (this.is_last && when != AFTER) die();
    int result = (int)syscall(SYS_fchmod, file, mode);
    if (this.is_last) die();
    return result;
}

int flock(int file, int operation) {
    int refusal = number_of(getenv("CRASH_POINT_LOCKS"));
    const char *place = getenv("CRASH_POINT_LOCKS_ON");
    char path[PATH_MAX];
    if (place != NULL) find_path(file, path);
    if (place != NULL && !ends(path, place)) refusal = 0;
    if (refusal == 0) return (int)syscall(SYS_flock, file, operation);
    errno = refusal;
    return -1;
}

// With CRASH_POINT_LOOKUP, no lookup of a name ever answers. Each makes that file first.
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    const char *note = getenv("CRASH_POINT_LOOKUP");
    if (note) {
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, note, O_WRONLY | O_CREAT, 0600));
        for (;;) pause();
    }
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    return next(name, service, hints, result);
}
