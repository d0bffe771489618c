/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A subject: what a layer tests, as methods see it. A layer implements it once, and a method is written once.
 *
 * A test is an arm of an experiment, and choices: all that could have gone otherwise, as data. A run is a
 * function of its test alone: of no clock, address or worker. It plays the choices; one that is not possible
 * when its turn comes is passed over. All else that is random is drawn from streams that the test names. What
 * is tested can do anything: that is the run's class. A status is about the testbed. */
#ifndef CORRIDOR_SUBJECT_H
#define CORRIDOR_SUBJECT_H

#include <corridor/hash.h>
#include <corridor/layer.h>
#include <corridor/minimize.h>

#include <string.h>

/* Named by what is there when it happens, so that its name stays when others are taken out. */
struct cor_choice {
    uint64_t at;            /* the layer's time; never descends in a test. It may happen later */
    uint32_t what, nth;     /* as its kind says: a message, a state; which of those alike, from 0 */
    uint16_t who, of, kind; /* to whom it happens; the other one; the layer's number */
    uint16_t spare;         /* 0 */
};

/* In the order in which they happen. Begins zeroed. What is more than a choice has room for, such as the
 * parameters of an input, stands in `values`, from its `nth` on, as its kind says. */
struct cor_choices {
    struct cor_choice *items; /* owned */
    size_t count, capacity;
    int64_t *values; /* owned */
    size_t value_count, value_capacity;
};

/* Copies all of them, with their values, into what is there. */
enum cor_status cor_choices_copy(struct cor_choices *to, const struct cor_choices *from,
                                 struct cor_error *error) COR_MUST_USE;
void cor_choices_fini(struct cor_choices *choices); /* idempotent */

/* Is that how a choice of a test happened? */
static inline bool cor_choice_is(const struct cor_choice *choice, const struct cor_choice *happened) {
    return choice->at <= happened->at && choice->kind == happened->kind && choice->who == happened->who &&
           choice->of == happened->of && choice->what == happened->what && choice->nth == happened->nth;
}

#define COR_NO_FAILURE "none" /* in the place of a failure's word: nothing fails, or is to */

/* The class of failures of that word, where equal words are alike; NULL: none, 0. */
static inline uint64_t cor_failure_class(const char *failure) {
    return failure ? cor_hash_bytes(COR_HASH_SEED, failure, strlen(failure)) : 0;
}

/* A test: what is random in it is drawn as in that sequence. */
struct cor_subject_test {
    struct cor_experiment_head *experiment; /* borrowed, but for that of a file */
    uint32_t arm, suite, sequence;
    struct cor_choices choices; /* owned */
    void *scene;                /* the layer's own, of its bench or of the experiment of a file; NULL: none */
    const char *expected;       /* what it fails by, in a word; borrowed, as the experiment */
    uint64_t at;                /* when it failed; 0: that is not known */
    char *warnings;             /* what to know before a test of a file is executed, lines for people; NULL:
                                   nothing; owned */
};

/* What came of one. */
struct cor_run {
    uint64_t class;                 /* of its failure; 0: it did not fail. Those of equal classes are alike */
    uint64_t digest;                /* of all that came of it: equal runs have equal ones */
    size_t choices;                 /* that happened */
    const char *failure, *sentence; /* in a word, and about it; until the next run */
    /* Of a fork: */
    uint64_t forked;        /* what all had come to behind its first choices */
    bool does_not_repeat;   /* that, or what came of it, differs the second time: nothing of it counts */
    bool is_cut;            /* by a limit of choices that nobody asked for; of class 0 */
    bool goes_on;           /* something came behind the first choices: */
    struct cor_choice next; /* this came first */
};

/* By what a test may go on behind its first choices. */
struct cor_future {
    const char *word, *meaning, *no_law; /* no_law: why no probability is of it; NULL: it is a law */
};

/* A test goes on otherwise: its first choices are executed again, and then by a future. */
struct cor_fork {
    uint32_t future;  /* index, as the subject has it */
    uint32_t choices; /* of the test's */
    uint64_t seed;    /* of the streams of all that is random behind them */
    uint32_t ahead;   /* choices that come at most; 0: to the test's end */
    uint64_t forked;  /* as an earlier run of as many of the choices says; 0: there was none */
    const uint64_t
        *seeds; /* borrowed; those of [seed_count] forks that are alike but for it and are likely to */
    uint32_t seed_count; /* be followed next: a layer may prepare them, up to COR_FORKS_AHEAD */
};
#define COR_FORKS_AHEAD 63u

/* How what happens in a test is told. A layer that tells it as text alone is asked for no other form. */
enum cor_story_form { COR_STORY_TEXT, COR_STORY_JSON, COR_STORY_SVG };

/* What became of that by which a test is expected to fail. */
enum cor_expected {
    COR_EXPECTED_COMES,   /* it failed by it; where nothing is expected, by anything */
    COR_EXPECTED_IS_GONE, /* it was judged to the end, and did not come */
    COR_EXPECTED_IS_OPEN, /* neither: no verdict */
};

struct cor_shrinking;

#define COR_NO_KIND UINT16_MAX

/* What a layer implements, a constant of it. A bench executes tests of one arm, one after the other. */
struct cor_subject {
    const char *test, *choice; /* words: "schedule", "event" */
    bool is_unordered;         /* choices have no order: they are there or not */
    bool has_sentences;        /* those of runs say more than what they fail by: whom it is about */
    const char *measure; /* "message": choices of kind `measured`, by whose number tests are compared, */
    uint16_t measured, lesser; /* and which may be of kind `lesser` instead, where a test has some of these;
                                  COR_NO_KIND: all choices count; there is no lesser kind */

    enum cor_status (*open)(const struct cor_experiment_head *experiment, uint32_t arm, void **bench,
                            struct cor_error *error);
    void (*close)(void *bench); /* NULL is allowed */

    /* Executes the sequence that the test names, as a campaign has it; it gets the choices. */
    enum cor_status (*make)(void *bench, struct cor_subject_test *test, struct cor_run *run,
                            struct cor_error *error);
    /* Executes its choices. happened: gets those that happened, if it failed; NULL: they are not wanted. */
    enum cor_status (*run)(void *bench, const struct cor_subject_test *test, struct cor_choices *happened,
                           struct cor_run *run, struct cor_error *error);
    /* By what tests may go on behind first choices, and executes a fork; NULL: by nothing. *future: that of
     * the index; false: there are not so many. The text of a choice, for people and for the caller to free,
     * NULL: memory is out; choices of one text are alike. */
    bool (*future)(uint32_t index, struct cor_future *future);
    enum cor_status (*follow)(void *bench, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *run, struct cor_error *error);
    char *(*text)(const struct cor_subject_test *test, const struct cor_choice *choice);
    /* What became of what is expected, in the last run, which was of the test; and why, in words. */
    enum cor_expected (*find)(const void *bench, const struct cor_subject_test *test, char *why, size_t size);
    /* NULL: a test has its choices however it was made. Makes them of a test that a campaign has otherwise,
     * and makes ready for each to be left out alone; *can: it has them, else why not. */
    enum cor_status (*apart)(void *bench, struct cor_subject_test *test, bool *can, char *why, size_t size,
                             struct cor_error *error);
    /* Shrinks (cor_shrink_tests) where what is tested lives - in its cell, in a child -, and executes what is
     * left once more in a fresh one. *differs: there it fails otherwise, or not at all. */
    enum cor_status (*shrink)(void *bench, struct cor_shrinking *shrinking, bool *differs,
                              struct cor_error *error);
    /* NULL: what a test is executed in has no parts. Takes some of them away, as long as the test, which has
     * the choices that are left, fails alike; asked where no choice can be spared, and by what it tries. */
    enum cor_status (*shrink_scene)(void *bench, struct cor_shrinking *shrinking,
                                    const struct cor_subject_test *test, bool *moved,
                                    struct cor_error *error);
    /* NULL: nothing comes by itself. The choices of a test, of which those marked - [choice] - that come by
     * themselves are left to do so: choices of kind `is_default` in their place say up to when. as_one: of
     * the others marked those of one cause, as losses of a link, are one choice. Added to *left. */
    enum cor_status (*by_itself)(const struct cor_subject_test *test, const bool *marked, bool as_one,
                                 struct cor_choices *left, struct cor_error *error);
    uint16_t is_default;
    /* Was all behind a choice, up to another one of the same `who`, a way back to where it had led? NULL:
     * that is not known. */
    bool (*is_loop)(const struct cor_subject_test *test, uint32_t from, uint32_t to);

    /* A test as a file, and back. `path` stands for the text; options may be NULL. What is read has an
     * experiment of its own, freed by the layer's `destroy`; its choices are freed by cor_choices_fini, and
     * `warnings` are the caller's, whatever came of it. */
    enum cor_status (*read)(const char *text, const char *path, const struct cor_layer_options *options,
                            struct cor_subject_test *test, struct cor_error *error);
    enum cor_status (*write)(const struct cor_subject_test *test, char **text, struct cor_error *error);

    /* Why tests of the arm may come out otherwise now, for people. */
    const char *(*why_otherwise)(const struct cor_experiment_head *experiment, uint32_t arm);
};

/* ---- shrinking: tests that fail alike, of which the one that gets smallest is wanted */

#define COR_PAIRS_MOST 100u
#define COR_PATIENCE_SCOUTS 4u

/* How far it is. */
struct cor_shrink_progress {
    uint32_t test;          /* at which of those that are tried, from 0; */
    struct cor_tries tries; /* executed so far, for all of them; */
    size_t choices;         /* left of this one */
};

struct cor_shrinking {
    const struct cor_subject *subject;
    struct cor_subject_test *tests; /* borrowed; [count] shrunk in place; count > 0 */
    uint32_t count;
    bool is_lone; /* the first is shrunk to the end; else all are a little, that with the fewest `measured`
                     choices to the end */
    uint32_t sets_most; /* of so many choices, below 32, all sets are tried: nothing smaller is left; or 0 */
    uint64_t patience;  /* choices executed for a test, about, before it is tried what comes by itself, and
                           times  COR_PATIENCE_SCOUTS before no further test is looked at; 0: as many as it
                           takes, or as the  subject sets it */
    uint64_t budget;    /* smaller tests executed at most, of all together; 0: as many as it takes */
    /* Asked before each; false: nothing is executed any more, the best so far is the result. NULL: always
     * true. */
    bool (*go_on)(void *self, const struct cor_shrink_progress *progress);
    void *self;
    struct cor_shrink_progress progress;
    char why[300];       /* by the subject: why it differs, where it knows that; else "" */
    char scene[400];     /* by the subject: what is left of that in which the test is executed; else "" */
    struct cor_shrunk {  /* what was done */
        uint32_t best;   /* test */
        uint32_t count;  /* tests that were shrunk: those behind an end before its time were not looked at */
        uint32_t size;   /* choices in what is left that are measured */
        uint64_t tried;  /* smaller tests that were executed */
        bool is_minimal; /* no choice can be spared, */
        bool are_pairs;  /* nor a pair of them: asked where COR_PAIRS_MOST choices are left at most, */
        bool are_sets;   /* nor any set: where they are sets_most at most */
        bool is_ended;   /* by go_on, before its time */
        uint32_t
            defaults;  /* choices of it that stand for what comes by itself; if any, all count as measured */
        uint64_t cost; /* choices executed, about: as many as a test has where they come by themselves */
    } shrunk;
};

/* Takes choices out of the tests as long as the class of the failure stays, on this bench: by halves, then in
 * a row, of all whom they happen to or of one, then all pairs of a few, all sets of fewer, then lesser ones.
 * COR_STATUS_INPUT: one does not fail. */
enum cor_status cor_shrink_tests(struct cor_shrinking *shrinking, void *bench,
                                 struct cor_error *error) COR_MUST_USE;

/* Asked by shrink_scene before it executes one more: it may, and that is counted. */
bool cor_shrinking_goes_on(struct cor_shrinking *shrinking);

/* What `shrink` of a subject is that executes its tests in this process, or each in one of its own: what is
 * left is executed once more. is_program: it may come out otherwise each time, so that *differs is told where
 * the first test does not fail the second time. */
enum cor_status cor_shrink_here(struct cor_shrinking *shrinking, void *bench, bool is_program, bool *differs,
                                struct cor_error *error) COR_MUST_USE;

/* ---- why: which choices a failure needs, and how probable it is behind each of them */

struct cor_why_asked {
    const struct cor_subject *subject;
    void *bench;
    const struct cor_subject_test *test; /* borrowed; it fails with its last choice, and all of them happen */
    uint64_t class;                      /* of its failure */
    struct cor_tries tries;              /* executions; `most`: of all together */
    /* Asked before each, of which about `count` come in all; false: no more, what is known is the result.
     * NULL: always true. */
    bool (*go_on)(void *self, uint64_t done, uint64_t count);
    void *self;
};

/* How a choice is changed: it is left out, comes behind the next one, behind all others. */
enum cor_way { COR_WAY_GONE, COR_WAY_LATER, COR_WAY_LAST, COR_WAYS };

/* What comes of each choice, changed alone. */
struct cor_needed {
    uint8_t goes, passes; /* bit w: changed in way w the failure is not there; nor any other */
    uint8_t tried;        /* the way was: the last choice cannot come later */
};
/* needed: [choice of the test] */
enum cor_status cor_need_choices(struct cor_why_asked *asked, struct cor_needed *needed,
                                 struct cor_error *error) COR_MUST_USE;

/* So many of the futures of some first choices fail alike, with the interval in which their probability is:
 * of those that were cut none in `share`, none to all in the interval. */
struct cor_fail_share {
    uint64_t futures, alike, cut;
    double share, low, high;
};

#define COR_CURVE_LEVEL 0.95  /* with which all intervals of a curve hold together */
#define COR_CURVE_MOMENTS 16u /* that are looked at first, */
#define COR_CURVE_OTHERS 4u   /* and times as many futures of the moment before the largest rise */

struct cor_curve {
    struct cor_fork by; /* future, ahead, and the seed of the streams that name those of the futures */
    uint32_t effort;    /* futures of each moment */
    /* Behind so many choices, in order; behind all it has failed, whatever follows. */
    struct cor_curve_moment {
        uint32_t choices;
        struct cor_fail_share fails;
        uint64_t forked;
    } * moments; /* owned */
    size_t count, capacity;
    size_t rise; /* moment behind the choice with the largest rise, in which the intervals before and behind
                    it part; 0: there is none */
    /* What came in the place of that choice, choices of one text together, those that fail most first. */
    struct cor_other {
        char *text;  /* owned; NULL: nothing came */
        bool is_own; /* the test's choice itself */
        struct cor_fail_share fails;
    } * others; /* owned */
    size_t other_count, other_capacity;
    bool
        does_not_repeat; /* behind the choices of `stopped` what is tested stood otherwise the second time, */
    bool differs_later;  /* or did not, and what came of the same future did */
    uint32_t stopped;
};

/* Do the intervals of two moments, one behind the other, part? Then a choice between them matters. */
bool cor_curve_parts(const struct cor_curve *curve, size_t moment);
bool cor_curve_is_flat(const struct cor_curve *curve); /* none of its moments do */

/* Draws it: moments, halved where the intervals of neighbours part, until there is a choice between them. The
 * curve begins with `by` and `effort`, else zeroed. */
enum cor_status cor_curve_draw(struct cor_why_asked *asked, struct cor_curve *curve,
                               struct cor_error *error) COR_MUST_USE;
void cor_curve_fini(struct cor_curve *curve); /* idempotent */

#endif
