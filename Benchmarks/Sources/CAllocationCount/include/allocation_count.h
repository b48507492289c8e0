#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether calls can be counted here: on Linux with glibc only.
bool allocation_count_is_available(void);

/// Begins to count the calls of malloc and its kin, by all threads.
void allocation_count_start(void);

/// Ends counting; answers how many blocks were asked for since the start.
uint64_t allocation_count_stop(void);
