// What Larder uses of Darwin's C library and Glibc lacks, as Apple's headers and manual pages declare it.
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

// <os/lock.h>
typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t _Nonnull lock);
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull lock);

// <pthread.h>
int pthread_cond_timedwait_relative_np(
    pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull, const struct timespec *_Nullable);

// <sys/event.h>
#define EVFILT_READ (-1)
#define EVFILT_VNODE (-4)
#define EV_ADD 0x0001
#define EV_CLEAR 0x0020
#define NOTE_DELETE 0x00000001
#define NOTE_WRITE 0x00000002
#define NOTE_EXTEND 0x00000004
struct kevent {
    uintptr_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    intptr_t data;
    void *_Null_unspecified udata;
};
int kqueue(void);
int kevent(
    int kq, const struct kevent *_Null_unspecified changelist, int nchanges,
    struct kevent *_Null_unspecified eventlist, int nevents,
    const struct timespec *_Null_unspecified timeout);

// <fcntl.h>, <stdio.h>
#define O_EVTONLY 0x00008000
#define F_FULLFSYNC 51
#define RENAME_EXCL 0x00000004
int renamex_np(const char *_Null_unspecified, const char *_Null_unspecified, unsigned int);
