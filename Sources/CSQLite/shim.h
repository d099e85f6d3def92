// Functions of SQLite that take any number of arguments, which Swift can't call.

// Declared here, because sqlite3.h belongs to GRDB's module of SQLite.
struct sqlite3;
extern int sqlite3_config(int option, ...);
extern int sqlite3_db_config(struct sqlite3 *connection, int option, ...);

// Returns SQLITE_OK, or SQLITE_MISUSE when SQLite is in use already. 9 is SQLITE_CONFIG_MEMSTATUS.
static inline int sqlite3_config_memstatus(int isCounted) { return sqlite3_config(9, isCounted); }

// Sets an option that is on or off. Takes an untyped connection, as sqlite3 is a type of the other module.
static inline int sqlite3_db_config_switch(void *connection, int option, int isOn) {
    return sqlite3_db_config((struct sqlite3 *)connection, option, isOn, (int *)0);
}

// Sets whether the last connection to close moves the WAL file into the database and removes it. 1006 is
// SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE.
static inline int sqlite3_db_config_checkpoint_on_close(void *connection, int isEnabled) {
    return sqlite3_db_config_switch(connection, 1006, !isEnabled);
}
