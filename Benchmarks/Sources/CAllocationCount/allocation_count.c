#include "allocation_count.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// An executable's own malloc comes before that of the C library for every shared library of the process. glibc
// keeps its own under these names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_bool is_counting;
static atomic_uint_least64_t count;

// Outside of counting this is one load and a branch, so that what is timed is hardly touched.
static inline void note(void) {
    if (__builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), 0)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    note();
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}

bool allocation_count_is_available(void) {
    return true;
}

void allocation_count_start(void) {
    atomic_store(&count, 0);
    atomic_store(&is_counting, true);
}

uint64_t allocation_count_stop(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&count);
}

#else

bool allocation_count_is_available(void) {
    return false;
}

void allocation_count_start(void) {}

uint64_t allocation_count_stop(void) {
    return 0;
}

#endif
