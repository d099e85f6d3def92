// Functions of SQLite that take any number of arguments, which Swift can't call.

// Declared here, because sqlite3.h belongs to GRDB's module of SQLite.
extern int sqlite3_config(int option, ...);

// Returns SQLITE_OK, or SQLITE_MISUSE when SQLite is in use already. 9 is SQLITE_CONFIG_MEMSTATUS.
static inline int sqlite3_config_memstatus(int isCounted) { return sqlite3_config(9, isCounted); }
