/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Helpers of this room's tests: random records and a folder of their own. Include after cmocka.h. */
#ifndef CORRIDOR_SIM_RECORD_TESTS_SAMPLE_H
#define CORRIDOR_SIM_RECORD_TESTS_SAMPLE_H

#include <corridor/record.h>
#include <corridor/result.h>

/* Aborts the test unless the call gives COR_OK; prints the error. `error` is a struct cor_error in reach. */
#define SAMPLE_OK(call)                                  \
    do {                                                 \
        if ((call) != COR_OK) {                          \
            char text_[3000];                            \
            cor_error_text(&error, text_, sizeof text_); \
            print_error("%s\n", text_);                  \
            fail();                                      \
        }                                                \
    } while (0)

/* Fills the record with random rows and vectors; the same (arm, suite) always gives the same. `scale` sets
 * the size: about that many rows in each table, none in some. */
void sample_fill(struct cor_record *record, uint16_t arm, uint32_t suite, uint32_t scale);

/* Fails the test unless all rows and items are equal. */
void sample_check_equal(struct cor_record *a, struct cor_record *b);

/* A header of three arms with texts beyond ASCII. */
struct cor_result_header sample_header(void);

/* Makes a new folder and changes into it; for group_setup. */
int sample_enter(void **state);

/* Removes the folder and what is in it; for group_teardown. */
int sample_leave(void **state);

/* Number of files in the present folder. */
int sample_file_count(void);

/* A file as bytes of its own memory. */
unsigned char *sample_read(const char *path, size_t *size);

/* Writes a file anew. */
void sample_write(const char *path, const void *bytes, size_t size);

#endif
