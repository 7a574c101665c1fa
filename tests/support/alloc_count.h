// Counts heap allocations, and makes a chosen one fail.
//
// Sees every allocation of the process; under the sanitizers only those made by objects of the
// project and of the test.
#pragma once

// Counters start again from zero; nothing fails until alloc_fail_at.
void alloc_count_reset(void);
// malloc, calloc, realloc, aligned_alloc and posix_memalign calls since the reset, failed ones
// included.
long alloc_count(void);
// Blocks taken and not given back since the reset: 0 after a clean set-up and tear-down (or a
// failed constructor).
long alloc_count_live(void);
// The n-th allocation from now on (1 = the next one) fails, once; 0: none does.
void alloc_fail_at(long n);
// True once the allocation chosen by alloc_fail_at has been asked for and refused.
int alloc_has_failed(void);
