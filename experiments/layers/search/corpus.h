/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tests that a generator keeps, and what each is worth: for every feature the test that shows it at the
 * least cost is favoured, and a feature is the rarer the fewer tests have shown it. Bounded in number and in
 * memory, so that a long search needs no more than a short one. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_CORPUS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_SEARCH_CORPUS_H

#include <corridor/generator.h>
#include <corridor/mail_record.h>
#include <corridor/record.h>
#include <corridor/rng.h>
#include <corridor/test.h>

/* ---- A pattern space (Cherel, Cottineau, Reuillon, PLOS ONE 10, 2015): up to three amounts of a sequence,
 * each cut into cells of a width. A search that is to fill it takes the cell of a test for its only feature,
 * so that tests in cells that few came to are changed the more often */

#define SEARCH_LAYER__PATTERN_AXES 3

struct search_layer__pattern;

/* One that no test was seen of, from "AMOUNT by WIDTH; ..": amounts as of cor_measure_parse. `fixed`: a
 * number of tests that does not depend on what they are, and that the budget surely suffices for; of these
 * shares are unbiased. COR_STATUS_INPUT at `place`. */
enum cor_status search_layer__pattern_create(const char *text, const char *place, uint64_t fixed,
                                             struct search_layer__pattern **pattern,
                                             struct cor_error *error) COR_MUST_USE;

/* Frees it. NULL is allowed. */
void search_layer__pattern_destroy(struct search_layer__pattern *pattern);
COR_DESTROYS(search_layer__pattern, struct search_layer__pattern)

/* Counts the test in its cell, and makes that the only feature of `seen`, in arrays of the pattern that are
 * valid until the next call. Cells beyond COR_FEATURES share features. Tests that do not say their
 * amounts have a cell of their own, and no feature. */
enum cor_status search_layer__pattern_see(struct search_layer__pattern *pattern, struct cor_seen *seen,
                                          struct cor_error *error) COR_MUST_USE;

/* Writes its cells down. */
enum cor_status search_layer__pattern_put(const struct search_layer__pattern *pattern,
                                          struct cor_record *record, struct cor_error *error) COR_MUST_USE;

/* ---- Changes of a test's walk that its profiles allow: every transition taken has a probability above 0.
 * What is not said by the change is drawn by the profiles, by 32 bits of `rng` for each case of each chain
 * concerned. Each changes the walk of `test` in place, behind a case, from 0, and says whether it could. */

/* All chains behind case `from` are drawn anew. */
void search_layer__walk_branch(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, stays in its state for a while, if it may, from case `from` on. */
bool search_layer__walk_hold(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, takes the least likely transition from its state at case `from`. */
bool search_layer__walk_rare_arc(struct cor_test *test, uint32_t from, struct cor_rng *rng);

/* One chain, or each, goes on behind case `from` as the same chain of `other`, a test of the same suite, does
 * behind a case in which it is in the same state. */
bool search_layer__walk_splice(struct cor_test *test, const struct cor_test *other, uint32_t from,
                               struct cor_rng *rng);

/* All that is random behind case `from` but the walk - algorithm, mail, faults, idle agents - is drawn anew:
 * its cases get identities above *identities, which counts on, and is above all that were given. */
enum cor_status search_layer__draws_branch(struct cor_test *test, uint32_t from, uint64_t *identities,
                                           struct cor_error *error) COR_MUST_USE;

/* ---- how mail went in a test whose messages are delivered one by one, and other orders of it */

/* A reorganization that sent messages enough to order them otherwise. */
struct search_layer__mail_case {
    uint64_t identity; /* of its case */
    uint32_t messages; /* sent, 2 or more */
};

struct search_layer__mail_seen {
    struct cor_mail_record *record;        /* owned; NULL: it was not recorded */
    struct search_layer__mail_case *cases; /* owned */
    uint32_t case_count;
};

/* The schedule of what was seen with another order in one reorganization: two neighbours change places, one
 * message waits, or all entries are dropped for one to three messages that wait. *made is NULL if no
 * reorganization has two messages; else owned by the caller. */
enum cor_status search_layer__schedule_mutate(const struct search_layer__mail_seen *seen, struct cor_rng *rng,
                                              struct cor_mail_record **made,
                                              struct cor_error *error) COR_MUST_USE;

#define SEARCH_LAYER__CORPUS_MAX 256
#define SEARCH_LAYER__CORPUS_BYTES_MAX ((size_t)48 << 20)

struct search_layer__corpus_entry {
    struct cor_test *test; /* owned */
    uint16_t *features;    /* owned */
    uint32_t *since;       /* owned; [feature] the case in which it appeared */
    uint32_t feature_count;
    uint32_t number;   /* of the test */
    uint32_t favoured; /* features for which it is the cheapest */
    uint32_t executed; /* cases */
    uint64_t cost;     /* cases times agents */
    uint64_t lineage;  /* tests of one suite, whose walks can be mixed, have one */
    size_t bytes;
    struct search_layer__mail_seen mail; /* how it went, where that can be changed */
};

struct search_layer__corpus {
    struct search_layer__corpus_entry *entry; /* owned; [SEARCH_LAYER__CORPUS_MAX] */
    uint32_t count;
    size_t bytes;
    uint16_t *best;    /* owned; [feature] 1 + entry; 0: none */
    uint32_t *hits;    /* owned; [feature] tests that had it */
    double *weight;    /* owned; [feature] what it is worth in the only test that had it */
    bool has_answered; /* the last test showed something new that is not of its walk alone */
    double *worth;     /* owned; [entry] scratch */
};

enum cor_status search_layer__corpus_init(struct search_layer__corpus *corpus,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void search_layer__corpus_fini(struct search_layer__corpus *corpus);

/* Counts the features of a test; if it is to be kept (seen->fresh > 0) it becomes an entry, *seen->keep is
 * set, and the least of the others go where there is no room. */
enum cor_status search_layer__corpus_see(struct search_layer__corpus *corpus, const struct cor_seen *seen,
                                         uint64_t lineage, struct cor_error *error) COR_MUST_USE;

/* How mail went in the test that was kept last: the tester's record of it, and its rows. */
enum cor_status search_layer__corpus_put_mail(struct search_layer__corpus *corpus,
                                              const struct cor_mail_record *mail, struct cor_record *rows,
                                              struct cor_error *error) COR_MUST_USE;

/* An entry drawn by its worth: the sum over the features for which it is favoured of one over the number of
 * tests that had them. *energy: 1 to 8, four times its worth over the mean. The corpus is not empty. */
uint32_t search_layer__corpus_choose(struct search_layer__corpus *corpus, struct cor_rng *rng,
                                     double *energy);

/* The case in which a feature appeared for which the entry is favoured, drawn by one over the number of tests
 * that had it; 0: before all cases, or there is none. */
uint32_t search_layer__corpus_aim(const struct search_layer__corpus *corpus, uint32_t index,
                                  struct cor_rng *rng);

/* Keeps what covers all features that are covered: always the entry that adds most for its cost. */
void search_layer__corpus_minimize(struct search_layer__corpus *corpus);

/* A test's file goes into vectors/text of a search's record. */
enum cor_status search_layer__put_test_text(struct cor_record *record, const struct cor_test *test,
                                            uint64_t *start, uint32_t *size,
                                            struct cor_error *error) COR_MUST_USE;

/* Writes the entries down. */
enum cor_status search_layer__corpus_put(const struct search_layer__corpus *corpus, struct cor_record *record,
                                         struct cor_error *error) COR_MUST_USE;

#endif
