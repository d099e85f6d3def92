#include "CMigrations.h"

#include <stddef.h>

// #embed is of C23; the compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct migration of_accounts[] = {
    {"0001_account", (const unsigned char[]){
#embed "../../migrations/0001_account.sql" suffix(, 0)
    }},
    {"0002_vocabulary", (const unsigned char[]){
#embed "../../migrations/0002_vocabulary.sql" suffix(, 0)
    }},
    {"0003_count", (const unsigned char[]){
#embed "../../migrations/0003_count.sql" suffix(, 0)
    }},
    {"0004_edit", (const unsigned char[]){
#embed "../../migrations/0004_edit.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

static const struct migration views[] = {
    {"views", (const unsigned char[]){
#embed "../../migrations/views.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

static const struct migration of_catalogs[] = {
    {"0001_catalog", (const unsigned char[]){
#embed "../../migrations/catalog/0001_catalog.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

static const struct migration of_shared[] = {
    {"0001_shared", (const unsigned char[]){
#embed "../../migrations/postgres/0001_shared.sql" suffix(, 0)
    }},
    {"0002_analyser", (const unsigned char[]){
#embed "../../migrations/postgres/0002_analyser.sql" suffix(, 0)
    }},
    {"0003_word", (const unsigned char[]){
#embed "../../migrations/postgres/0003_word.sql" suffix(, 0)
    }},
    {"0004_renewal", (const unsigned char[]){
#embed "../../migrations/postgres/0004_renewal.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

static const struct migration roles[] = {
    {"roles", (const unsigned char[]){
#embed "../../migrations/postgres/roles.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

const struct migration *account_migrations(void) { return of_accounts; }

const struct migration *account_views(void) { return views; }

const struct migration *catalog_migrations(void) { return of_catalogs; }

const struct migration *shared_migrations(void) { return of_shared; }

const struct migration *shared_roles(void) { return roles; }
