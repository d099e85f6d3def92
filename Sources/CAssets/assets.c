#include "assets.h"

// #embed is of C23; the compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "files/style.css"
};

static const unsigned char script[] = {
#embed "files/scrollback.js"
};

static const unsigned char icon[] = {
#embed "files/icon.svg"
};

static const struct asset files[] = {
    {"style.css", style, sizeof style},
    {"scrollback.js", script, sizeof script},
    {"icon.svg", icon, sizeof icon},
};

size_t asset_count(void) { return sizeof files / sizeof *files; }

struct asset asset_at(size_t place) { return files[place]; }
