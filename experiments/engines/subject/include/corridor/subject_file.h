/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test files of layers that have a subject: an experiment with one arm, and beside its members
 *   "process_test": {"suite": 0, "sequence": 17, "expected": "agreed", ..}
 *   "schedule": [["deliver", 2, 0, "append", 0, 1370], ..]
 * The first is called as the kind of file; the second has a choice a line, in the order in which they happen.
 */
#ifndef CORRIDOR_SUBJECT_FILE_H
#define CORRIDOR_SUBJECT_FILE_H

#include <corridor/json.h>
#include <corridor/kinds.h>
#include <corridor/subject.h>

/* One taken apart; begins zeroed, freed by cor_subject_file_fini. */
struct cor_subject_file {
    struct cor_json_document *document;  /* owned */
    struct cor_json root, own, schedule; /* the whole; the member of the kind, and the choices */
    char *experiment;                    /* owned; the text of all other members */
};

/* Takes a text apart; `path` stands for it. The file stays where it is as long as its members are used. */
enum cor_status cor_subject_file_read(const char *text, const char *path, enum cor_kind kind,
                                      struct cor_subject_file *file, struct cor_error *error) COR_MUST_USE;
void cor_subject_file_fini(struct cor_subject_file *file); /* idempotent */

/* COR_STATUS_INPUT: the experiment has not just one arm. */
enum cor_status cor_subject_file_check_arms(const struct cor_subject_file *file,
                                            const struct cor_experiment_head *experiment,
                                            struct cor_error *error) COR_MUST_USE;

/* Fingerprints of what a failure hangs on, as the file has it (0: it says none) and now: do they differ? */
static inline bool cor_subject_changed(uint64_t kept, uint64_t now) {
    return kept != 0 && kept != now;
}

/* Puts "; the model and the system were changed since the test was made" behind `why`; of one "was". */
void cor_subject_put_changes(char *why, size_t size, const char *first, bool first_changed,
                             const char *second, bool second_changed);

/* How a layer writes its tests. */
struct cor_subject_file_form {
    enum cor_kind kind;
    const char *const *left_out; /* members of the experiment that a test does not need, ended by NULL; but
                                    for "arms", of which it has its own */
    void (*put)(const struct cor_subject_test *test, struct cor_json_writer *writer); /* the kind's member */
    char *(*line)(const struct cor_subject_test *test, const struct cor_choice *choice); /* as JSON; NULL:
                                                                                            memory is out */
    bool (*put_member)(const struct cor_subject_test *test, const char *key,
                       struct cor_json_writer *writer); /* in its own way; false, or NULL: as it stands */
};

/* The text of a test, for the caller to free. */
enum cor_status cor_subject_file_text(const struct cor_subject_file_form *form,
                                      const struct cor_subject_test *test, char **text,
                                      struct cor_error *error) COR_MUST_USE;

#endif
