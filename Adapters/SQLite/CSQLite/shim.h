#ifndef LARDER_CSQLITE_SHIM_H
#define LARDER_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config takes variable arguments, which Swift cannot pass.
static inline int larder_sqlite3_configure(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

#endif
