// Gives Swift's runtime (6.3) the arguments of the command line, as glibc passes them to a constructor.
//
// The runtime's own file, CommandLine.cpp, reads /proc/self/maps at each start to find the arguments on the stack again. Linked
// statically, a program takes the two functions from here, and that file is left out. Beside the runtime's shared library, as in a debug
// build, nothing calls them. Package.swift leaves this file out for other versions, which may want more functions of that file.
#include <stddef.h>

static char *none[] = {NULL};
static char **arguments = none;
static int count;

// 101 is the first priority that programs may use: before any constructor of the runtime.
__attribute__((constructor(101))) static void take(int givenCount, char **given) {
    count = givenCount;
    arguments = given;
}

__attribute__((swiftcall)) char **_swift_stdlib_getUnsafeArgvArgc(int *result) {
    *result = count;
    return arguments;
}

__attribute__((swiftcall)) void _swift_stdlib_overrideUnsafeArgvArgc(char **given, int givenCount) {
    arguments = given;
    count = givenCount;
}
