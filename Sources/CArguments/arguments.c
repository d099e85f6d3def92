// Gives Swift's runtime the arguments of the command line, as the C library passes them to a constructor.
//
// The runtime's own file (6.3, stubs/CommandLine.cpp) reads /proc/self/maps at the start of each program, to find the arguments on the
// stack again. The linker takes a symbol of this file instead, and so leaves that file out.
#include <stddef.h>

static char **arguments;
static int count;

__attribute__((constructor)) static void take(int givenCount, char **given) {
    count = givenCount;
    arguments = given;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *result) {
    *result = count;
    return arguments;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **given, int givenCount) {
    arguments = given;
    count = givenCount;
}
