#ifndef LARDER_CLMDB_SHIM_H
#define LARDER_CLMDB_SHIM_H

#include <lmdb.h>

#ifdef __linux__

#include <sys/types.h>

// reason: <fcntl.h> declares both only for _GNU_SOURCE, and Swift's module of the C library is built without it.
#ifdef __cplusplus
extern "C"
#endif
int fallocate(int file, int mode, off_t offset, off_t length);

/// Reserves room on the disk for the beginning of a file and leaves its length as it is; 0, or -1 and `errno`.
static inline int larder_reserve_room(int file, long long bytes) {
    const int keep_size = 1;  // FALLOC_FL_KEEP_SIZE
    return fallocate(file, keep_size, 0, (off_t)bytes);
}

#endif

#endif
