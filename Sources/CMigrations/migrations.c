#include "CMigrations.h"

#include <stddef.h>

// #embed is of C23; the compiler has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct migration of_accounts[] = {
    {"0001_archive", (const unsigned char[]){
#embed "../../migrations/0001_archive.sql" suffix(, 0)
    }},
    {"0002_reading", (const unsigned char[]){
#embed "../../migrations/0002_reading.sql" suffix(, 0)
    }},
    {"0003_search", (const unsigned char[]){
#embed "../../migrations/0003_search.sql" suffix(, 0)
    }},
    {"0004_versions", (const unsigned char[]){
#embed "../../migrations/0004_versions.sql" suffix(, 0)
    }},
    {"0005_workspaces", (const unsigned char[]){
#embed "../../migrations/0005_workspaces.sql" suffix(, 0)
    }},
    {"0006_attachments", (const unsigned char[]){
#embed "../../migrations/0006_attachments.sql" suffix(, 0)
    }},
    {"0007_replies", (const unsigned char[]){
#embed "../../migrations/0007_replies.sql" suffix(, 0)
    }},
    {"0008_clocks", (const unsigned char[]){
#embed "../../migrations/0008_clocks.sql" suffix(, 0)
    }},
    {"0009_retractions", (const unsigned char[]){
#embed "../../migrations/0009_retractions.sql" suffix(, 0)
    }},
    {"0010_imports", (const unsigned char[]){
#embed "../../migrations/0010_imports.sql" suffix(, 0)
    }},
    {"0011_moved", (const unsigned char[]){
#embed "../../migrations/0011_moved.sql" suffix(, 0)
    }},
    {"0012_receipts", (const unsigned char[]){
#embed "../../migrations/0012_receipts.sql" suffix(, 0)
    }},
    {"0013_members", (const unsigned char[]){
#embed "../../migrations/0013_members.sql" suffix(, 0)
    }},
    {"0014_alike", (const unsigned char[]){
#embed "../../migrations/0014_alike.sql" suffix(, 0)
    }},
    {"0015_sender_counts", (const unsigned char[]){
#embed "../../migrations/0015_sender_counts.sql" suffix(, 0)
    }},
    {"0016_noise", (const unsigned char[]){
#embed "../../migrations/0016_noise.sql" suffix(, 0)
    }},
    {"0017_views", (const unsigned char[]){
#embed "../../migrations/0017_views.sql" suffix(, 0)
    }},
    {"0018_files", (const unsigned char[]){
#embed "../../migrations/0018_files.sql" suffix(, 0)
    }},
    {"0019_comments", (const unsigned char[]){
#embed "../../migrations/0019_comments.sql" suffix(, 0)
    }},
    {"0020_attachments", (const unsigned char[]){
#embed "../../migrations/0020_attachments.sql" suffix(, 0)
    }},
    {"0021_names", (const unsigned char[]){
#embed "../../migrations/0021_names.sql" suffix(, 0)
    }},
    {"0022_sharing", (const unsigned char[]){
#embed "../../migrations/0022_sharing.sql" suffix(, 0)
    }},
    {"0023_retention", (const unsigned char[]){
#embed "../../migrations/0023_retention.sql" suffix(, 0)
    }},
    {"0024_purged", (const unsigned char[]){
#embed "../../migrations/0024_purged.sql" suffix(, 0)
    }},
    {"0025_places", (const unsigned char[]){
#embed "../../migrations/0025_places.sql" suffix(, 0)
    }},
    {"0026_history_places", (const unsigned char[]){
#embed "../../migrations/0026_history_places.sql" suffix(, 0)
    }},
    {"0027_digests", (const unsigned char[]){
#embed "../../migrations/0027_digests.sql" suffix(, 0)
    }},
    {"0028_search_slots", (const unsigned char[]){
#embed "../../migrations/0028_search_slots.sql" suffix(, 0)
    }},
    {"0029_hits_view", (const unsigned char[]){
#embed "../../migrations/0029_hits_view.sql" suffix(, 0)
    }},
    {"0030_short_views", (const unsigned char[]){
#embed "../../migrations/0030_short_views.sql" suffix(, 0)
    }},
    {"0031_topics", (const unsigned char[]){
#embed "../../migrations/0031_topics.sql" suffix(, 0)
    }},
    {"0032_merges", (const unsigned char[]){
#embed "../../migrations/0032_merges.sql" suffix(, 0)
    }},
    {"0033_own_names", (const unsigned char[]){
#embed "../../migrations/0033_own_names.sql" suffix(, 0)
    }},
    {"0034_bridges", (const unsigned char[]){
#embed "../../migrations/0034_bridges.sql" suffix(, 0)
    }},
    {"0035_marks", (const unsigned char[]){
#embed "../../migrations/0035_marks.sql" suffix(, 0)
    }},
    {"0036_pictures", (const unsigned char[]){
#embed "../../migrations/0036_pictures.sql" suffix(, 0)
    }},
    {"0037_groups", (const unsigned char[]){
#embed "../../migrations/0037_groups.sql" suffix(, 0)
    }},
    {"0038_named_views", (const unsigned char[]){
#embed "../../migrations/0038_named_views.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

static const struct migration of_catalogs[] = {
    {"catalog", (const unsigned char[]){
#embed "../../migrations/catalog.sql" suffix(, 0)
    }},
    {"catalog_0002", (const unsigned char[]){
#embed "../../migrations/catalog_0002.sql" suffix(, 0)
    }},
    {"catalog_0003", (const unsigned char[]){
#embed "../../migrations/catalog_0003.sql" suffix(, 0)
    }},
    {"catalog_0004", (const unsigned char[]){
#embed "../../migrations/catalog_0004.sql" suffix(, 0)
    }},
    {NULL, NULL},
};

static const struct migration of_shared[] = {
    {"0001_shared", (const unsigned char[]){
#embed "../../migrations/postgres/0001_shared.sql" suffix(, 0)
    }},
    {"0002_encrypted", (const unsigned char[]){
#embed "../../migrations/postgres/0002_encrypted.sql" suffix(, 0)
    }},
    {"0003_hits", (const unsigned char[]){
#embed "../../migrations/postgres/0003_hits.sql" suffix(, 0)
    }},
    {"0004_hits", (const unsigned char[]){
#embed "../../migrations/postgres/0004_hits.sql" suffix(, 0)
    }},
    {"0005_topics", (const unsigned char[]){
#embed "../../migrations/postgres/0005_topics.sql" suffix(, 0)
    }},
    {"0006_marks", (const unsigned char[]){
#embed "../../migrations/postgres/0006_marks.sql" suffix(, 0)
    }},
    {"0007_pictures", (const unsigned char[]){
#embed "../../migrations/postgres/0007_pictures.sql" suffix(, 0)
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

const struct migration *catalog_migrations(void) { return of_catalogs; }

const struct migration *shared_migrations(void) { return of_shared; }

const struct migration *shared_roles(void) { return roles; }
