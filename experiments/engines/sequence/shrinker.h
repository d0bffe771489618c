/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of shrinking share: what can be made smaller in a test, and the shrinker that tries it. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_SHRINKER_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_SHRINKER_H

#include <corridor/expression.h>
#include <corridor/json.h>
#include <corridor/pool.h>
#include <corridor/shrink.h>
#include <corridor/test.h>

/* ---- What a test keeps to, read from its text (corridor/bounds.h): whether a changed test still does, and
 * how parameters follow each other. */

enum cor_bound_kind { COR_BOUND_NONE, COR_BOUND_RANGE, COR_BOUND_FOLLOWS, COR_BOUND_REAL };

/* Of a parameter. */
struct cor_bound {
    enum cor_bound_kind kind;
    struct cor_expression low, high; /* owned; FOLLOWS: low alone */
    double real_low, real_high;      /* REAL */
    int sum;                         /* index of the sum that it is part of, -1: none */
};

#define COR_SUM_MAX 16
struct cor_sum {
    uint32_t member[COR_SUM_MAX], count;
    double total;
};

enum cor_role {
    COR_ROLE_AGENTS,
    COR_ROLE_SIZE_MIN,
    COR_ROLE_SIZE_MAX,
    COR_ROLE_COUNT_MIN,
    COR_ROLE_COUNT_MAX,
    COR_ROLE_GROUPS,
    COR_ROLE_LOCATIONS,
    COR_ROLE_COUNT
};

struct cor_role_bound {
    bool given;                    /* it stands there */
    struct cor_expression formula; /* owned */
    int parameter;                 /* the formula is this parameter alone; -1: it is not */
};

struct sequence__bounds {
    uint32_t parameter_count;
    struct cor_bound *parameters; /* owned; [parameter] */
    uint32_t *order;              /* owned; in which they follow from each other */
    uint32_t order_count;
    struct cor_sum *sums; /* owned */
    uint32_t sum_count;
    struct cor_expression *constraints; /* owned */
    uint32_t constraint_count;
    struct cor_role_bound roles[COR_ROLE_COUNT];
    struct cor_role_bound *type_counts;   /* owned; [type] agents of it; NULL: not said of any */
    struct cor_role_bound group_sizes[2]; /* least and largest */
    int idle;                             /* parameter, -1: none */
    double inertia_low, inertia_high;
    double *level_low, *level_high; /* owned; [type]; NaN: given */
    uint32_t type_count;
    bool mixed_groups;
    int64_t *values;         /* owned; [parameter]; scratch: the integers */
    uint32_t *sizes;         /* owned; [partitions_max]; scratch */
    uint32_t partitions_max; /* at the start */
};

/* From JSON or its text, for tests with the parameters and types of `test`. */
enum cor_status sequence__bounds_read(const struct cor_json *json, const struct cor_test *test,
                                      struct sequence__bounds **bounds, struct cor_error *error) COR_MUST_USE;
enum cor_status sequence__bounds_parse(const char *text, const struct cor_test *test,
                                       struct sequence__bounds **bounds,
                                       struct cor_error *error) COR_MUST_USE;
void sequence__bounds_destroy(struct sequence__bounds *bounds);

/* Works out what follows, brings everything else into its range, and gives limits, budget and so on to the
 * suite. */
void sequence__bounds_follow(const struct sequence__bounds *bounds, struct cor_test *test);

/* The parameters that stand for the numbers of agents, groups, become what those are. */
void sequence__bounds_count(const struct sequence__bounds *bounds, struct cor_test *test);

/* Widens the limits, where they are parameters, so that the structure at the start is within them. */
void sequence__bounds_relax(const struct sequence__bounds *bounds, struct cor_test *test);

/* How many things can be broken, and which are kept: into kept[]. */
uint32_t sequence__bounds_lines(const struct sequence__bounds *bounds);
void sequence__bounds_judge(const struct sequence__bounds *bounds, const struct cor_test *test, bool *kept);

/* The range of an integer parameter of the test now; false: it has none, or it follows. */
bool sequence__bounds_range(const struct sequence__bounds *bounds, const struct cor_test *test,
                            uint32_t parameter, int64_t *low, int64_t *high);

/* Changes of structure (shrink.c). Each changes the test, and says whether it could: one case, one
 * agent, one of everything is left. */

/* Takes agents away, then groups without agents, chains without groups, partitions without agents. */
enum cor_status sequence__test_drop_agents(struct cor_test *test, const bool *gone, bool *can,
                                           struct cor_error *error) COR_MUST_USE;

uint64_t sequence__test_needless_arcs(const struct cor_test *test);
/* Without all needless arcs, or without number `index` of them; `text` becomes which that is. */
enum cor_status sequence__test_drop_arcs(struct cor_test *test, struct cor_error *error) COR_MUST_USE;

/* Numbers of a test that are not its structure (shrink.c). */

enum cor_slot_kind {
    COR_SLOT_PARAMETER,
    COR_SLOT_BUDGET,
    COR_SLOT_SIZE_MIN,
    COR_SLOT_SIZE_MAX,
    COR_SLOT_COUNT_MIN,
    COR_SLOT_COUNT_MAX,
    COR_SLOT_ACTIVATION_DELAY,
    COR_SLOT_MONITOR_DELAY,
    COR_SLOT_MAIL_DELAY,
    COR_SLOT_CRASH_ROUNDS,
    COR_SLOT_LOCATION,
    COR_SLOT_IDLE,
    COR_SLOT_MONITOR,
    COR_SLOT_ADOPTION,
    COR_SLOT_RESULT,
    COR_SLOT_CRASH,
    COR_SLOT_MAIL_LOSS,
    COR_SLOT_MAIL_DOUBLE,
    COR_SLOT_THRESHOLD,
    COR_SLOT_LEVEL,
    COR_SLOT_INERTIA
};

struct cor_slot {
    enum cor_slot_kind kind;
    uint32_t first, second; /* parameter; location: chain; level: effect, state; inertia: agent */
    bool integer;
    double low, high;      /* within which it is tried */
    uint32_t first_choice; /* of its simpler numbers, among those of all slots */
};

struct cor_slots {
    struct cor_slot *items; /* owned */
    size_t count, capacity;
};

/* All of them, in the order of simplicity; `bounds` may be NULL. */
enum cor_status sequence__slots_list(const struct sequence__bounds *bounds, const struct cor_test *test,
                                     struct cor_slots *slots, struct cor_error *error) COR_MUST_USE;
double sequence__slot_value(const struct cor_test *test, const struct cor_slot *slot);
/* What it is called (shrink.c): "parameter particles", "the level of state low of type plant in
 * environment river" .. */
void sequence__slot_text(const struct cor_test *test, const struct cor_slot *slot, char *text, size_t size);

/* "1, 4 and 512"; of many the first ones, "1, 4, 5 and 300 more". Zeroed at first. */
struct sequence__list {
    char text[3584];
    size_t used;
    uint32_t count, named; /* items; how many are named at most, 0: SEQUENCE__LISTED */
};
#define SEQUENCE__LISTED 12u
void sequence__list_put(struct sequence__list *list, const char *item, bool last);
void sequence__list_put_number(struct sequence__list *list, uint64_t number, bool last);

/* What a chain is called: its environment, and where there are several of it, whose it is: "river (agents 0
 * and 3)". */
void sequence__chain_text(const struct cor_test *test, uint32_t chain, char *text, size_t size);

/* How simple a real number is: smaller is simpler. 1, 0, 0.5, then by decimals, then by size. */
struct cor_simplicity {
    uint32_t digits;
    uint64_t bits;
};
struct cor_simplicity sequence__simplicity(double value);
/* Simpler numbers within low .. high in the order in which they are tried; how many, up to 24. */
#define COR_SIMPLER_MAX 24
uint32_t sequence__simpler(double value, double low, double high, double *simpler);

/* Is `one` simpler than `other`, -1; as simple, 0; else 1. *status: memory. */
int sequence__test_compare(const struct sequence__bounds *bounds, const struct cor_test *one,
                           const struct cor_test *other, enum cor_status *status, struct cor_error *error);

/* Trying (shrink.c). */

/* What came of a step that was tried. */
enum cor_step_end {
    COR_STEP_UNTRIED, /* stopped before, or not possible */
    COR_STEP_OUTSIDE, /* of what the model allows */
    COR_STEP_NO_SIMPLER,
    COR_STEP_PASSES, /* the test: no case fails */
    COR_STEP_OTHER,  /* another failure */
    COR_STEP_STAYS   /* the same class */
};

struct cor_shrinker {
    const struct cor_shrink_definition *definition; /* borrowed */
    struct cor_tester *tester;                      /* borrowed */
    struct cor_shrink_report *report;               /* borrowed */
    struct cor_tries *tries;                        /* of it */
    struct sequence__bounds *bounds;                /* owned; NULL: free */
    bool *kept, *judged;                            /* owned; [line]: of the test as it was; scratch */
    struct cor_test *best;                          /* owned */
    uint64_t best_hash;                             /* of it */
    bool *quiet;          /* owned; [case of the first]: of the best, cases without reorganization */
    struct cor_pool seen; /* hashes of tests that do not keep the class, */
    uint8_t *seen_end;    /* owned; [of these] what came of it */
    size_t seen_end_capacity;
    bool reseeds;      /* a step that fails is tried with other seeds, too */
    bool checks;       /* nothing is to be shrunk: no sentences about what must be there */
    bool looks;        /* only looks whether a step would do: the best stays */
    uint32_t stayed;   /* steps that kept the class while looking */
    char *stayed_text; /* owned; the first of them */
    struct nearest {
        uint32_t pass;
        double distance;
        bool is_value;
        char *text;         /* owned; NULL: none */
    } nearest;              /* step that passes */
    struct cor_slots slots; /* owned; scratch of compares and passes */
    uint64_t seed_first;    /* of the streams of the test as it was */
};

/* A single step. */
struct cor_step {
    bool can; /* there is one of that number */
    bool is_value;
    double distance; /* of a value, from what it was */
    char text[384];  /* what it is about, for people */
};

/* A pass: a list of single steps, and a way to take many of them. Of sets a step is one part less. */
struct cor_pass {
    const char *name, *meaning;
    const char *unit; /* of sets: what a part is called, */
    uint32_t from;    /* counted from here */
    bool of_cases;    /* parts are cases, */
    bool of_chains;   /* or chains, which have names */
    bool last;        /* runs where no other pass takes anything */
    /* Goes as far as it can; NULL: sets as cor_minimize does, steps one after another until a round of them
     * took nothing. */
    enum cor_status (*run)(struct cor_shrinker *s, bool *moved, struct cor_error *error);
    /* How many single steps the best has; NULL: none of its own. */
    enum cor_status (*count)(struct cor_shrinker *s, uint32_t *count, struct cor_error *error);
    /* Takes step `index` in a copy of the best, and says if it cannot; NULL: of sets. */
    enum cor_status (*step)(struct cor_shrinker *s, struct cor_test *copy, uint32_t index,
                            struct cor_step *step, struct cor_error *error);
    /* Sets: the copy without the parts in `gone`, as one of these makes it, and which of them are left out
     * from the start (NULL: none). Whether they can be (NULL: they can). */
    enum cor_status (*without)(struct cor_test *copy, const bool *gone, bool *can, struct cor_error *error);
    void (*change)(struct cor_test *copy, const bool *gone);
    bool (*can)(const struct cor_shrinker *s, const struct cor_test *copy, const bool *gone);
    void (*begin)(const struct cor_test *base, bool *gone);
};

extern const struct cor_pass sequence__passes[];
extern const uint32_t sequence__pass_count;

/* The sentences (shrink_said.c), into the report. They execute the best twice more, if the budget allows. */
enum cor_status sequence__shrink_said(struct cor_shrinker *s, struct cor_error *error) COR_MUST_USE;

/* What the cases of the execution just now came to, to be told apart from another one. */
struct sequence__seen {
    struct seen_case *cases; /* owned */
    uint32_t count;
};
enum cor_status sequence__shrink_see(struct cor_shrinker *s, struct sequence__seen **seen,
                                     struct cor_error *error) COR_MUST_USE;
void sequence__seen_destroy(struct sequence__seen *seen);
COR_DESTROYS(sequence__seen, struct sequence__seen)

/* The same of a failure that does not repeat: what came of it twice. */
enum cor_status sequence__shrink_said_flaky(struct cor_shrinker *s, const struct cor_test_result *first,
                                            const struct cor_test_result *second,
                                            const struct sequence__seen *seen,
                                            const struct sequence__seen *again,
                                            struct cor_error *error) COR_MUST_USE;

#endif
