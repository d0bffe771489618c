/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Generators: where the tests of a search come from. Each is a row of one list. The search keeps the loop,
 *
 *   create -> (next -> the test is executed -> see) until the budget is used up -> finish -> destroy
 *
 * and nothing calls back into an execution: what a test did stands in the record that it left. A generator is
 * a function of its definition and of what it has seen: no clock, no address, no worker. */
#ifndef CORRIDOR_GENERATOR_H
#define CORRIDOR_GENERATOR_H

#include <corridor/record.h>
#include <corridor/suite.h>
#include <corridor/weight.h>

/* ---- What a test was seen to do, as a set of features: how often a bucket of a probe was counted and a
 * transition of a profile taken, sizes and numbers of partitions and what is left of every limit, how far a
 * fault came, how near the system was to violating its invariant. Numbers are taken in classes (AFL's: 1, 2,
 * 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, 128 and more), so that a feature is something new rather than
 * something more. */

struct cor_tester;

/* Features are numbers below this: what a feature is of is hashed into one. Two may share one; that costs
 * attention, and nothing else. */
#define COR_FEATURES 65536

/* A set of features, a bit each; zeros are the empty set. */
struct cor_feature_set {
    uint64_t bits[COR_FEATURES / 64];
};

/* What a feature is of. */
enum cor_feature_kind {
    COR_FEATURE_PROBE,      /* counter, bucket of it; times counted */
    COR_FEATURE_TRANSITION, /* profile, from * states + to; times taken in executed cases */
    COR_FEATURE_PARTITIONS, /* number after a reorganization */
    COR_FEATURE_SLACK,      /* which limit; what is left of it, in a reorganization or by the configuration */
    COR_FEATURE_SEAM,       /* 0 reached, 1 held, 2 activated; times in a reorganization */
    COR_FEATURE_DISTANCE,   /* sixteenths of the threshold that the dissimilarity came to */
    COR_FEATURE_END,        /* how a reorganization stopped, and smoke */
    COR_FEATURE_PATTERN,    /* the cell of a pattern space, in place of all others */
    COR_FEATURE_KINDS
};

/* 0 for 0, then 1 to 8 for AFL's classes. */
uint32_t cor_count_class(uint64_t count);

/* Where a feature of a test came from. */
struct cor_feature_origin {
    enum cor_feature_kind kind;
    uint32_t since; /* the case in which it appeared; 0: before all, or it was not observed */
};

/* The number of a feature. */
uint32_t cor_feature(enum cor_feature_kind kind, uint32_t about, uint32_t which, uint32_t class);

/* What a test is judged by; all borrowed. */
struct cor_feature_source {
    const struct cor_suite *suite; /* of one sequence, whose walk is recorded */
    struct cor_record *record;     /* all rows of its execution */
    const uint64_t *probes;        /* cells counted: of counter c [probe_start[c], probe_start[c + 1]) */
    const uint32_t *probe_start;
    uint32_t counter_count;
    uint32_t cases;                    /* executed */
    const struct cor_tester *observed; /* that kept how it reacted in each case; NULL: that is not known */
};

struct cor_feature_collector;

/* One that has seen nothing. */
enum cor_status cor_feature_collector_create(struct cor_feature_collector **collector,
                                             struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_feature_collector_destroy(struct cor_feature_collector *collector);

/* The features of a test, each once, in an order that depends on nothing else, and where each came from.
 * *features and *origins are valid until the next call. */
enum cor_status cor_features_collect(struct cor_feature_collector *collector,
                                     const struct cor_feature_source *source, const uint32_t **features,
                                     const struct cor_feature_origin **origins, uint32_t *count,
                                     struct cor_error *error) COR_MUST_USE;

/* Is the feature, below COR_FEATURES, in the set? */
static inline bool cor_feature_set_has(const struct cor_feature_set *set, uint32_t feature) {
    return set->bits[feature / 64] >> feature % 64 & 1;
}

/* Adds features; how many of them were not in the set. */
uint32_t cor_feature_set_add(struct cor_feature_set *set, const uint32_t *features, uint32_t count);

/* How many features are in the set. */
uint32_t cor_feature_set_size(const struct cor_feature_set *set);

struct cor_test;
struct cor_test_result;
struct cor_tester;

/* Every island of a search has this many numbers of suites for itself. */
#define COR_ISLAND_SUITES 1048576u
#define COR_ISLANDS_MAX 4096

/* Options of a generator, X(NAME, key): a text each, in the order of struct cor_generator_options. */
#define COR_GENERATOR_OPTIONS(X) \
    X(SEAM, seam)                \
    X(TRAP, trap)                \
    X(LEVEL, level)              \
    X(REGION, region)            \
    X(PATTERN, pattern)

/* Number of an option: its bit in `takes` of a generator, and where its key and text are asked for. */
enum cor_generator_option {
#define COR_GENERATOR_OPTION(NAME, key) COR_GENERATOR_##NAME,
    COR_GENERATOR_OPTIONS(COR_GENERATOR_OPTION)
#undef COR_GENERATOR_OPTION
        COR_GENERATOR_OPTION_COUNT,
    COR_GENERATOR_MINIMIZE = COR_GENERATOR_OPTION_COUNT /* behind the texts: a flag */
};

/* What a generator is asked for; what it does not take is refused before `check`. */
struct cor_generator_options {
    const char *seam;    /* the arm's fault by name, or "probe[bucket]"; NULL: the arm's fault */
    const char *trap;    /* a condition that walks are to meet; NULL: none */
    const char *level;   /* an expression over reactions, for splitting; NULL: none */
    const char *region;  /* conditions over the parameters joined by "and", to begin with; NULL: none */
    const char *pattern; /* amounts by widths of cells, which are what is new then; NULL: features are */
    bool minimize;       /* of the corpus only what covers all its features is kept */
};

/* What a generator works with; all borrowed as long as it lives. */
struct cor_generator_definition {
    const struct cor_experiment *experiment; /* analysed */
    uint32_t arm;
    uint32_t first_suite; /* COR_ISLAND_SUITES suites from this number on are the generator's own; suite
                             first_suite of island 0 is suite 0 of a campaign */
    uint64_t budget;      /* test cases to be executed in all */
    const struct cor_generator_options *options;
    struct cor_tester *tester; /* for executing something beside the loop: what it spends goes into `spent` */
};

/* A test that is to be executed. */
struct cor_proposal {
    struct cor_test *test; /* owned by the search from then on */
    uint32_t parent;       /* number of the test from which it was made; 0: of none */
    enum cor_mutation mutation;
    double energy;            /* tests that its parent was worth; 1 without a parent */
    uint64_t spent;           /* test cases that were executed to make it: they count */
    bool has_weight;          /* its walk was steered: */
    struct cor_weight weight; /* how much likelier the profiles make the whole of its walk */
};

/* What came of it; all borrowed for the call. */
struct cor_seen {
    uint32_t number; /* of the test, from 1 */
    const struct cor_test *test;
    const struct cor_test_result *result;
    struct cor_record *record; /* all its rows */
    const uint64_t *probes;    /* see struct cor_feature_source */
    const uint32_t *probe_start;
    const uint32_t *features;                 /* what it did, each once */
    const struct cor_feature_origin *origins; /* [feature] */
    uint32_t feature_count;
    uint32_t fresh; /* thereof new */
    uint64_t cases; /* executed so far, with this test */
    bool *keep;     /* set to true: the test belongs to the corpus, and is the generator's until it is
                       destroyed by it */
};

/* A generator: constant, one row of the list below. `self` is what `create` has made for one island, until
 * `destroy`, which is called also where `create` failed. */
struct cor_generator {
    const char *name, *meaning;
    bool observes;  /* it is to be kept how the system reacted in each case */
    unsigned takes; /* bits 1u << COR_GENERATOR_SEAM and so on: the options that it understands */

    /* Can it work on this arm with these options? COR_STATUS_INPUT says why not. NULL: always. */
    enum cor_status (*check)(const struct cor_generator_definition *definition, struct cor_error *error);
    enum cor_status (*create)(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error);
    /* The next test: a generator never runs dry. */
    enum cor_status (*next)(void *self, struct cor_proposal *proposal, struct cor_error *error);
    /* NULL: it does not want to know. */
    enum cor_status (*see)(void *self, const struct cor_seen *seen, struct cor_error *error);
    /* The island is over: what the generator itself has to say goes into the search's record, whose tables
     * are those of search_schema.h. NULL: nothing. */
    enum cor_status (*finish)(void *self, struct cor_record *record, struct cor_error *error);
    void (*destroy)(void *self); /* NULL is allowed */
};

/* The generators there are, X(name): each is a `const struct cor_generator cor_generator_<name>`. */
#define COR_GENERATORS(X) \
    X(random)             \
    X(coverage)           \
    X(directed)           \
    X(splitting)          \
    X(tree)

#define COR_GENERATOR(name) extern const struct cor_generator cor_generator_##name;
COR_GENERATORS(COR_GENERATOR)
#undef COR_GENERATOR

/* The generator of that name; COR_STATUS_INPUT at `place` with the known names. */
enum cor_status cor_generator_find(const char *name, const char *place,
                                   const struct cor_generator **generator,
                                   struct cor_error *error) COR_MUST_USE;

/* The name of a generator, NULL behind the last. */
const char *cor_generator_word(size_t index);

/* The key of an option, NULL behind the last; and what is said of it, NULL: nothing. */
const char *cor_generator_option_key(size_t option);
const char *cor_generator_option_text(const struct cor_generator_options *options, size_t option);

/* For `check`: refuses arms whose walks answer to what the system does. */
enum cor_status cor_generator_check_walks(const struct cor_generator_definition *definition,
                                          struct cor_error *error) COR_MUST_USE;

/* Sequence `sequence` of a suite of such an arm as a test: its walk is drawn now. The suite may go
 * afterwards. */
enum cor_status cor_suite_test(const struct cor_suite *suite, uint32_t sequence, struct cor_test **test,
                               struct cor_error *error) COR_MUST_USE;

#endif
