#ifndef FEDERATED_CSQLITE_SHIM_H
#define FEDERATED_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Casts of integers to function pointers do not reach Swift. */
static inline sqlite3_destructor_type fd_sqlite_transient(void) { return SQLITE_TRANSIENT; }
static inline sqlite3_destructor_type fd_sqlite_static(void) { return SQLITE_STATIC; }

/* Variadic functions do not reach Swift. */
static inline int fd_sqlite_db_config(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

#endif
