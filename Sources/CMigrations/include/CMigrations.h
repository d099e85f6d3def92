#pragma once

/// A file of migrations/.
struct migration {
    /// The file's name without .sql; NULL after the last file of a list.
    const char *_Nullable name;
    /// The file's text, and a NUL.
    const unsigned char *_Nullable sql;
};

/// Returns the migrations of an account's file, in order.
const struct migration *_Nonnull account_migrations(void);

/// Returns the views of an account's file.
const struct migration *_Nonnull account_views(void);

/// Returns the migrations of a data folder's catalog, in order.
const struct migration *_Nonnull catalog_migrations(void);

/// Returns the migrations of a shared archive on PostgreSQL, in order.
const struct migration *_Nonnull shared_migrations(void);

/// Returns the roles of a shared archive.
const struct migration *_Nonnull shared_roles(void);
