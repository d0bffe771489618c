/* SPDX-License-Identifier: MIT
 *
 * corridor/code_coverage.h - code coverage of an algorithm under test. Nothing of its source changes; all of
 * its files are compiled with
 *
 *     -fsanitize-coverage=trace-pc -include corridor/code_coverage.h        (gcc 12 and later, clang 13 and
 * later)
 *
 * and linked as before. The module has one white-box counter more then, "coverage": each place of its code, a
 * basic block, counts in one of COR_COVERAGE_CELLS buckets, and two places may share one. Whatever goes by
 * counters goes by it: searches, `corridor show FILE coverage`, result files. A place is told by how far it
 * lies from the beginning of what the module exports here, so the same module file counts the same wherever
 * it is loaded. */
#ifndef CORRIDOR_CODE_COVERAGE_H
#define CORRIDOR_CODE_COVERAGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_COVERAGE_MAGIC 0x31564F43u /* "COV1" */
#define COR_COVERAGE_CELLS 1024u       /* a power of two */
#define COR_COVERAGE_SYMBOL "corridor_coverage_1"
#define COR_COVERAGE_COUNTER "coverage"

/* What the module exports beside its constant. */
struct cor_code_coverage {
    uint32_t magic, cell_count;
    uint64_t *cells; /* the host's, while the algorithm is at work; else NULL: nothing is counted */
};

/* Only where a module is built with coverage: the host looks for the symbol by its name. */
#ifndef COR_COVERAGE_DECLARED_ONLY

#if defined(__has_attribute) && __has_attribute(no_sanitize_coverage)
#define COR_COVERAGE_NOT_ITSELF __attribute__((no_sanitize_coverage))
#elif defined(__clang__)
#define COR_COVERAGE_NOT_ITSELF __attribute__((no_sanitize("coverage")))
#else
#error "corridor/code_coverage.h needs gcc 12 or clang 13: older ones would count the counting, without end"
#endif

/* Weak: each file of the module has them, and one of them stays. */
__attribute__((weak, visibility("default"))) struct cor_code_coverage corridor_coverage_1 = {
    COR_COVERAGE_MAGIC, COR_COVERAGE_CELLS, (uint64_t *)0};

/* What the compiler calls in each basic block; its name is the compiler's. */
void __sanitizer_cov_trace_pc(void);

__attribute__((weak, visibility("hidden"), noinline)) COR_COVERAGE_NOT_ITSELF void
__sanitizer_cov_trace_pc(void) {
    uint64_t *cells = corridor_coverage_1.cells;
    uint64_t place = (uint64_t)((uintptr_t)__builtin_return_address(0) - (uintptr_t)&corridor_coverage_1);
    if (cells)
        cells[(place * UINT64_C(0x9E3779B97F4A7C15)) >> 54]++;
}

#endif

#ifdef __cplusplus
}
#endif
#endif
