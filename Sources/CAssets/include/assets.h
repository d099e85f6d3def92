#pragma once
#include <stddef.h>

/// A file that browsers load: its name and its bytes, which end with no NUL.
struct asset {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/// Returns the number of files.
size_t asset_count(void);

/// Returns a file by its place, from 0.
struct asset asset_at(size_t place);
