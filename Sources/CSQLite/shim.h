// SQLite, and its functions that take any number of arguments, which Swift can't call.

#include <sqlite3.h>

// Returns SQLITE_OK, or SQLITE_MISUSE when SQLite is in use already.
static inline int sqlite3_config_memstatus(int isCounted) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, isCounted); }

// Sets an option that is on or off.
static inline int sqlite3_db_config_switch(sqlite3 *connection, int option, int isOn) {
    return sqlite3_db_config(connection, option, isOn, (int *)0);
}

// Sets whether the last connection to close moves the WAL file into the database and removes it.
static inline int sqlite3_db_config_checkpoint_on_close(sqlite3 *connection, int isEnabled) {
    return sqlite3_db_config_switch(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !isEnabled);
}
