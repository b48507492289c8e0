#ifndef LARDER_CPOSTGRESQL_SHIM_H
#define LARDER_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

// Macros that Swift does not import.
static const int larder_pg_sqlstate = 'C';
static const int larder_pg_message = 'M';
static const int larder_pg_detail = 'D';
static const int larder_pg_function = 'R';

#endif
