/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file says of itself as a whole: its texts, and its plan. */
#include "scan.h"

#include <corridor/agent_result.h>
#include <corridor/agent_schema.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/built.h>
#include <corridor/efsm_result.h>
#include <corridor/efsm_schema.h>
#include <corridor/estimation_result.h>
#include <corridor/identities.h>
#include <corridor/json.h>
#include <corridor/process_result.h>
#include <corridor/search_result.h>
#include <corridor/system_result.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REMEDY "the file was not written by this program, or is damaged"

/* A whole number under a key; 0 if there is none. */
static uint64_t number_under(const struct cor_json *root, const char *key) {
    struct cor_json child;
    int64_t value;
    if (!cor_json_find(root, key, &child) || !cor_json_is_integer(&child) ||
        cor_json_integer(&child, 0, INT64_MAX, &value, NULL) != COR_OK)
        return 0;
    return (uint64_t)value;
}

/* Arms have the names and the order that the experiment gives them, in a list or as keys. */
static enum cor_status check_arms(const struct cor_json *root, const struct cor_result_header *head,
                                  struct cor_error *error) {
    struct cor_json arms, name;
    const char *text;
    if (!cor_json_find(root, "arms", &arms) || (!cor_json_is_array(&arms) && !cor_json_is_object(&arms)))
        return COR_OK;
    if (cor_json_size(&arms) != cor_arm_count(head))
        return cor_fail(error, COR_STATUS_INPUT, "catalog/arm", REMEDY, "has %zu arms, the experiment %zu",
                        cor_arm_count(head), cor_json_size(&arms));
    for (size_t a = 0; a < cor_arm_count(head); a++) {
        const struct cor_json arm = cor_json_at(&arms, a);
        if (cor_json_is_object(&arms))
            text = arm.key;
        else if (!cor_json_is_object(&arm) || !cor_json_find(&arm, "name", &name) ||
                 !cor_json_is_string(&name) || cor_json_string(&name, &text, NULL) != COR_OK)
            continue;
        if (strcmp(text, cor_arm_entry(head, a)->name) != 0)
            return cor_fail(error, COR_STATUS_INPUT, "catalog/arm", REMEDY,
                            "arm %zu is \"%s\", in the experiment \"%s\"", a, cor_arm_entry(head, a)->name,
                            text);
    }
    return COR_OK;
}

/* Whether walks of the arm are steered to traps. */
static enum cor_status find_steering(const struct cor_catalog_entry *arm, unsigned char *steers,
                                     struct cor_error *error) {
    char *environment;
    COR_TRY(cor_text_under(arm->description, "environment", &environment, error));
    *steers = !environment                        ? COR_STEERS_NOT_SAID
              : strcmp(environment, "traps") == 0 ? COR_STEERS
                                                  : COR_STEERS_NOT;
    free(environment);
    return COR_OK;
}

/* As cor_announced_init, but for what the experiment says. */
static enum cor_status announced_begin(struct cor_announced *announced, const struct cor_result_header *head,
                                       struct cor_error *error) {
    *announced = (struct cor_announced){.steers = cor_calloc(cor_arm_count(head), 1)};
    COR_TRY(cor_made(announced->steers, error));
    for (size_t a = 0; a < cor_arm_count(head); a++)
        if (find_steering(cor_arm_entry(head, a), &announced->steers[a], error) != COR_OK) {
            cor_announced_fini(announced);
            return COR_STATUS_MEMORY;
        }
    return COR_OK;
}

/* What the experiment announces. */
static void read_plan(const struct cor_json *root, const struct cor_result_header *head,
                      struct cor_announced *announced) {
    const uint64_t sequences = number_under(root, "sequences");
    /* How many suites an arm has, as the layer's schema says that the experiment says it. */
    const struct cor_layer_schema *layer = head->layer;
    struct cor_json list;
    const uint64_t number = cor_json_find(root, layer->suites, &list)
                                ? number_under(root, layer->suites)
                                : layer->suites_default; /* 0: endless */
    uint64_t each = layer->suites_catalog > 0 ? head->catalog_size[layer->suites_catalog] : 1;
    if (layer->suites_list && cor_json_find(root, layer->suites_list, &list) && cor_json_is_array(&list))
        each = cor_json_size(&list);
    announced->suites = number * each;
    announced->asks = cor_json_find(root, "properties", &list);
    announced->sequences = sequences <= UINT32_MAX ? (uint32_t)sequences : 0;
}

enum cor_status cor_announced_init(struct cor_announced *announced, const struct cor_result_header *head,
                                   struct cor_error *error) {
    struct cor_json_document *document = NULL;
    COR_TRY(announced_begin(announced, head, error));
    const char *const keys[] = {"sequences", "properties", head->layer->suites, head->layer->suites_list,
                                NULL};
    const enum cor_status status =
        cor_json_parse_members(head->experiment, "experiment", keys, &document, NULL);
    if (status == COR_STATUS_MEMORY) {
        cor_announced_fini(announced);
        return cor_fail_memory(error);
    }
    if (status != COR_OK)
        return COR_OK; /* a text that says nothing */
    const struct cor_json root = cor_json_root(document);
    if (cor_json_is_object(&root))
        read_plan(&root, head, announced);
    cor_json_destroy(document);
    return COR_OK;
}

/* Is the text of the experiment JSON, with the arms of the catalog? COR_STATUS_INPUT. What it announces is
 * noted: the text may be long, and is parsed once. */
static enum cor_status check_experiment(const struct cor_result_header *head, struct cor_announced *announced,
                                        struct cor_error *error) {
    struct cor_json_document *document = NULL;
    COR_TRY(cor_json_parse(head->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_expect_object(&root, NULL, error);
    if (status == COR_OK)
        status = check_arms(&root, head, error);
    if (status == COR_OK)
        read_plan(&root, head, announced);
    cor_json_destroy(document);
    return status;
}

static bool is_true(const struct cor_json *object, const char *key) {
    struct cor_json child;
    bool truth = false;
    return cor_json_find(object, key, &child) && cor_json_bool(&child, &truth, NULL) == COR_OK && truth;
}

/* Tests on line are replayed from what their systems answered. */
bool cor_names_programs(const struct cor_result_header *head) {
    struct cor_json_document *document;
    struct cor_json algorithms, digest;
    if (cor_json_parse(head->provenance, "provenance", &document, NULL) != COR_OK)
        return false;
    const struct cor_json root = cor_json_root(document);
    bool found = cor_json_is_object(&root) &&
                 (is_true(&root, "foreign_agents") || is_true(&root, "foreign_programs") ||
                  is_true(&root, "foreign_systems"));
    if (cor_json_is_object(&root) && cor_json_find(&root, "algorithms", &algorithms) &&
        cor_json_is_array(&algorithms))
        for (size_t i = 0; i < cor_json_size(&algorithms) && !found; i++) {
            const struct cor_json algorithm = cor_json_at(&algorithms, i);
            found = cor_json_is_object(&algorithm) &&
                    (is_true(&algorithm, "program") || cor_json_find(&algorithm, "sha256", &digest));
        }
    cor_json_destroy(document);
    return found;
}

void cor_announced_fini(struct cor_announced *announced) {
    free(announced->steers);
    announced->steers = NULL;
}

static int compare_codes(const void *one, const void *other) {
    const struct cor_catalog_entry *a = *(const struct cor_catalog_entry *const *)one,
                                   *b = *(const struct cor_catalog_entry *const *)other;
    return (a->code > b->code) - (a->code < b->code);
}

static int compare_names(const void *one, const void *other) {
    const struct cor_catalog_entry *a = *(const struct cor_catalog_entry *const *)one,
                                   *b = *(const struct cor_catalog_entry *const *)other;
    return strcmp(a->name, b->name);
}

/* Whether no two entries of a catalog have one name where the file was written by this program: what people
 * and questions in SQL name by name. */
static bool is_named_once(const struct cor_layer_schema *layer, uint32_t catalog) {
    return catalog == COR_CATALOG_ARM || (layer->names_once && (catalog != layer->twins_of || catalog == 0));
}

/* Rows name entries by code, people name arms by name. */
static enum cor_status check_twins(const struct cor_result_header *head, uint32_t catalog, bool by_name,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    int (*const compare)(const void *, const void *) = by_name ? compare_names : compare_codes;
    const size_t count = head->catalog_size[catalog];
    const struct cor_catalog_entry **entry = cor_calloc(count, sizeof *entry);
    COR_TRY(cor_made(entry, error));
    for (size_t i = 0; i < count; i++)
        entry[i] = &head->catalog[catalog][i];
    qsort(entry, count, sizeof *entry, compare);
    for (size_t i = 1; i < count && status == COR_OK; i++)
        if (compare(&entry[i - 1], &entry[i]) == 0)
            status =
                cor_fail(error, COR_STATUS_INPUT, "catalog", REMEDY,
                         by_name ? "%s: two entries are called \"%s\"" : "%s: \"%s\" has the code of another",
                         head->layer->catalogs[catalog].group, entry[i]->name);
    free(entry);
    return status;
}

/* What the provenance says of arms that ended early; false: nothing, as in files of before. */
static bool read_ends(const struct cor_json *provenance, const struct cor_result_header *head,
                      uint64_t *positions, uint64_t *ends) {
    struct cor_json observed, early, list, child;
    size_t a = 0;
    if (!cor_json_is_object(provenance) || !cor_json_find(provenance, "observed", &observed) ||
        !cor_json_is_object(&observed) || !cor_json_find(&observed, "ended_early", &early) ||
        !cor_json_is_object(&early))
        return false;
    *positions = number_under(&early, "positions");
    for (size_t i = 0; i < cor_arm_count(head); i++)
        ends[i] = UINT64_MAX;
    const bool is_list = cor_json_find(&early, "arms", &list) && cor_json_is_array(&list);
    for (size_t i = 0; is_list && i < cor_json_size(&list); i++) { /* in the order of the arms */
        const struct cor_json item = cor_json_at(&list, i);
        const char *name;
        if (!cor_json_is_object(&item) || !cor_json_find(&item, "arm", &child) ||
            cor_json_string(&child, &name, NULL) != COR_OK)
            continue;
        while (a < cor_arm_count(head) && strcmp(cor_arm_entry(head, a)->name, name) != 0)
            a++;
        if (a < cor_arm_count(head))
            ends[a++] = number_under(&item, "suites");
    }
    return true;
}

/* An arm has its first suites: a campaign goes round all arms before the next suite, and keeps those without
 * a gap. One of which all that is asked is decided may have ended before, which the file says. */
static enum cor_status check_counts(const struct cor_result_header *head,
                                    const struct cor_announced *announced, const uint64_t *had,
                                    uint64_t suites, struct cor_error *error) {
    const uint64_t arms = cor_arm_count(head);
    struct cor_json_document *document = NULL;
    uint64_t positions = suites, *ends = announced->asks ? cor_calloc(arms, sizeof *ends) : NULL;
    bool is_said = false;
    enum cor_status status = COR_OK;
    if (announced->asks) {
        COR_TRY(cor_made(ends, error));
        status = cor_json_parse(head->provenance, "provenance", &document, NULL);
        if (status == COR_OK) {
            const struct cor_json root = cor_json_root(document);
            is_said = read_ends(&root, head, &positions, ends);
        }
        cor_json_destroy(document);
        status = status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK; /* else it says nothing */
    }
    for (uint64_t a = 0; a < arms && status == COR_OK; a++) {
        const uint64_t prefix = positions / arms + (a < positions % arms),
                       expected = is_said && ends[a] < prefix ? ends[a] : prefix;
        const bool is_old = announced->asks && !is_said;
        if (is_old ? had[a] > announced->suites : had[a] != expected)
            status = cor_fail(error, COR_STATUS_INPUT, "table suites", REMEDY,
                              "of %" PRIu64 " suites %" PRIu64 " are of arm %s, expected %" PRIu64, suites,
                              had[a], cor_arm_entry(head, (size_t)a)->name, expected);
    }
    free(ends);
    return status;
}

/* Does the plan agree with the experiment, and `complete` with the suites in the file? `had`: suites of each
 * arm that are in the file, [arm in catalog/arm]. COR_STATUS_INPUT. */
static enum cor_status check_plan(const struct cor_result_header *head, const struct cor_announced *announced,
                                  const uint64_t *had, struct cor_error *error) {
    uint64_t suites = 0;
    for (size_t a = 0; a < cor_arm_count(head); a++)
        suites += had[a];
    /* Attributes against each other, the experiment, and the suites that are there. */
    const uint64_t planned = head->planned_suites;
    const bool whole = planned == 0 || suites == planned;
    if (announced->suites > 0 && planned != announced->suites * cor_arm_count(head))
        return cor_fail(error, COR_STATUS_INPUT, "attribute planned_suites", REMEDY,
                        "is %" PRIu64 ", but the experiment asks for %" PRIu64 " suites of each of %zu arms",
                        planned, announced->suites, cor_arm_count(head));
    if (planned > 0 && suites > planned)
        return cor_fail(error, COR_STATUS_INPUT, "attribute planned_suites", REMEDY,
                        "is %" PRIu64 ", but there are %" PRIu64 " suites", planned, suites);
    if (!head->complete != !whole)
        return cor_fail(error, COR_STATUS_INPUT, "attribute complete", REMEDY,
                        "is %d, but %" PRIu64 " of %" PRIu64 " planned suites are there", head->complete != 0,
                        suites, planned);
    return announced->suites == 0 ? COR_OK : check_counts(head, announced, had, suites, error);
}

/* ---- what the rows of a suite must satisfy. Nothing is repaired: what is broken is counted and said */

static const struct {
    const char *id, *sentence;
} identities[] = {
#define COR_IDENTITY(NAME, id, sentence) {id, sentence},
    COR_IDENTITIES(COR_IDENTITY)
#undef COR_IDENTITY
};

const char *cor_identity_id(enum cor_identity identity) {
    COR_ASSERT(identity < COR_IDENTITY_COUNT);
    return identities[identity].id;
}

const char *cor_identity_sentence(enum cor_identity identity) {
    COR_ASSERT(identity < COR_IDENTITY_COUNT);
    return identities[identity].sentence;
}

/* One thing that identity is about. */
static void check(struct cor_identity_tally *tally, enum cor_identity identity, bool holds, uint32_t suite,
                  uint32_t sequence) {
    struct cor_identity_tally *one = &tally[identity];
    one->checked++;
    if (!holds && one->broken++ == 0)
        snprintf(one->values, sizeof one->values, "first in suite %" PRIu32 ", sequence %" PRIu32, suite,
                 sequence);
}

static bool counted(uint8_t verdict, uint32_t violations) {
    return (verdict == COR_VERDICT_FAILED) == (violations > 0);
}

static bool alarms_are_judged(const struct cor_sequence_rows *s) {
    for (size_t c = 0; c < s->case_count; c++) {
        /* Without an alarm the oracle need not look; at the edge either answer is right. */
        const struct cor_case_row *row = &s->cases[c];
        bool contradicts = row->inside == (row->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE);
        if (row->inside == COR_INSIDE_NOT_LOOKED || row->inside == 0) {
            if (row->alarm || (row->detect != COR_VERDICT_NOT_JUDGED && row->detect != COR_VERDICT_SMOKE))
                return false;
        } else if (row->inside == COR_INSIDE_UNKNOWN) {
            if (row->detect != COR_VERDICT_UNDECIDED)
                return false;
        } else if (row->detect != (contradicts ? COR_VERDICT_FAILED : COR_VERDICT_PASSED)) {
            return false;
        }
    }
    return true;
}

/* Cases marked as reorganized, and reorganizations, with the same verdicts. */
static bool cases_match(const struct cor_sequence_rows *s) {
    size_t r = 0;
    for (size_t c = 0; c < s->case_count; c++) {
        const struct cor_case_row *row = &s->cases[c];
        if (!row->reorganized)
            continue;
        const struct cor_reorganization_row *run =
            r < s->reorganization_count ? &s->reorganizations[r++] : NULL;
        if (!run || run->case_ != row->case_ || run->gray != row->gray || run->black != row->black)
            return false;
    }
    return r == s->reorganization_count;
}

/* What a box listed in a case. */
struct listed {
    bool box[COR_BOX_CODES];
};

/* The black box also lists where the structure is not the accepted solution (C7). */
static bool violations_are_listed(const struct cor_sequence_rows *s) {
    size_t next = 0, r = 0;
    for (size_t c = 0; c < s->case_count; c++) {
        const struct cor_case_row *row = &s->cases[c];
        /* Violations of that case: they are in order. */
        struct listed listed = {0};
        for (; next < s->violation_count && s->violations[next].case_ == row->case_; ++next)
            if (s->violations[next].box < COR_BOX_CODES)
                listed.box[s->violations[next].box] = true;
        bool black = row->black == COR_VERDICT_FAILED;
        if (row->reorganized && r < s->reorganization_count)
            black = black || s->reorganizations[r++].agreement == COR_VERDICT_FAILED;
        if (listed.box[COR_BOX_DETECT] != cor_is_detection(row->detect) ||
            listed.box[COR_BOX_GRAY] != (row->gray == COR_VERDICT_FAILED) ||
            listed.box[COR_BOX_BLACK] != black)
            return false;
    }
    return next == s->violation_count;
}

/* Failures that are kept are those of reorganizations, which may be more than have to be (--log solutions).
 */
static bool failures_are_kept(const struct cor_sequence_rows *s) {
    size_t f = 0;
    for (size_t r = 0; r < s->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &s->reorganizations[r];
        bool kept = f < s->failure_count && s->failures[f].case_ == row->case_;
        if (kept && (s->failures[f].gray != row->gray || s->failures[f].black != row->black))
            return false;
        if (!kept && (cor_is_activated(row) || cor_is_detected(row)))
            return false;
        f += kept;
    }
    return f == s->failure_count;
}

/* Did the sequence end with that reorganization? In continuous time it may do so some cases later: with its
 * adoption, at the tick of the last snapshot. */
static bool ends_with(const struct cor_sequence_rows *s, uint32_t case_, uint32_t executed) {
    if (s->snapshot_count == 0)
        return case_ == executed;
    for (size_t t = 0; t < s->tick_count; t++)
        if (s->ticks[t].case_ == case_)
            return s->ticks[t].adopted == s->snapshots[s->snapshot_count - 1].tick;
    return false;
}

static bool is_ended_by_mechanism(const struct cor_sequence_rows *s, uint32_t executed) {
    for (size_t v = 0; v < s->violation_count; v++)
        if (s->violations[v].check == COR_CHECK_MECHANISM_SMOKE)
            return s->violations[v].case_ == executed;
    return false;
}

static void check_sequence(struct cor_identity_tally *tally, const struct cor_sequence_rows *s,
                           uint32_t suite, uint32_t number) {
    uint32_t cases = s->row ? s->row->cases : 0, executed = s->row ? s->row->executed : 0;
    uint32_t black = 0, last_black = 0;
    for (size_t r = 0; r < s->reorganization_count; r++) {
        const struct cor_reorganization_row *row = &s->reorganizations[r];
        bool nested = (row->fault_activated == 0 || row->fault_held > 0) &&
                      (row->fault_held == 0 || row->fault_reached > 0);
        check(tally, COR_IDENTITY_FAULT_NESTED, nested, row->suite, row->sequence);
        check(tally, COR_IDENTITY_VERDICTS_COUNTED,
              counted(row->gray, row->gray_violations) && counted(row->black, row->black_violations),
              row->suite, row->sequence);
        if (cor_is_detection(row->black))
            check(tally, COR_IDENTITY_BLACK_ALSO_GRAY,
                  cor_is_detection(row->gray) || row->adoption_fault > 0 || row->own_moves ||
                      (s->tick_count > 0 && cor_is_outrun(row)),
                  row->suite, row->sequence);
        black += cor_is_detection(row->black);
        last_black = cor_is_detection(row->black) ? row->case_ : last_black;
    }
    check(tally, COR_IDENTITY_SEQUENCES_COMPLETE, s->row, suite, number);
    check(tally, COR_IDENTITY_CASES_COMPLETE, s->case_count == executed && executed <= cases, suite, number);
    check(tally, COR_IDENTITY_REORGANIZATIONS_COMPLETE, cases_match(s), suite, number);
    check(tally, COR_IDENTITY_ALARM_JUDGED, alarms_are_judged(s), suite, number);
    check(tally, COR_IDENTITY_FAILURES_KEPT, failures_are_kept(s), suite, number);
    check(tally, COR_IDENTITY_VIOLATIONS_LISTED, violations_are_listed(s), suite, number);
    check(tally, COR_IDENTITY_BLACK_ONCE, black <= 1, suite, number);
    if (executed < cases)
        check(tally, COR_IDENTITY_STOPPED_BY_BLACK,
              (last_black > 0 && ends_with(s, last_black, executed)) ||
                  (s->case_count > 0 && s->cases[s->case_count - 1].detect == COR_VERDICT_SMOKE) ||
                  is_ended_by_mechanism(s, executed),
              suite, number);
}

/* Counts of visits and transitions, of walks of `steps` steps from `starts` states. */
static bool visits_add_up(const struct cor_suite_rows *suite, uint64_t starts, uint64_t steps) {
    const struct cor_visit_row *visit = suite->table[COR_TABLE_VISITS].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    uint64_t visits = 0, transitions = 0;
    for (size_t v = 0; v < suite->table[COR_TABLE_VISITS].count; v++)
        visits += visit[v].count;
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        transitions += transition[t].count;
    return visits == steps + starts && transitions == steps;
}

enum cor_status cor_identities_of_suite(const struct cor_suite_rows *suite,
                                        const struct cor_announced *announced,
                                        struct cor_identity_tally tally[COR_IDENTITY_COUNT],
                                        struct cor_error *error) {
    const size_t chains = suite->table[COR_TABLE_CHAINS].count;
    uint64_t steps = 0, starts = 0;
    for (uint32_t s = 0; s < suite->row.sequences; s++) {
        const struct cor_sequence_row *row = suite->sequence[s].row;
        check_sequence(tally, &suite->sequence[s], suite->row.suite, s);
        steps += row ? (uint64_t)row->cases * chains : 0;
        starts += row ? chains : 0;
    }
    const struct cor_group_row *group = suite->table[COR_TABLE_GROUPS].row;
    size_t groups = suite->table[COR_TABLE_GROUPS].count;
    uint64_t agents = 0;
    for (size_t g = 0; g < groups; g++)
        agents += group[g].size;
    check(tally, COR_IDENTITY_SUITES_COUNTED,
          groups == suite->row.groups && agents == suite->row.agents &&
              suite->table[COR_TABLE_CHAINS].count == suite->row.chains,
          suite->row.suite, 0);
    check(tally, COR_IDENTITY_VISITS_ADD_UP, visits_add_up(suite, starts, steps), suite->row.suite, 0);
    /* What the texts say; the rows of a suite are of one arm. */
    const size_t branches = suite->table[COR_TABLE_BRANCHES].count;
    const enum cor_steers steers = announced->steers[suite->arm];
    if (announced->sequences > 0)
        check(tally, COR_IDENTITY_SEQUENCES_ANNOUNCED,
              (uint64_t)announced->sequences + branches == suite->row.sequences, suite->row.suite, 0);
    if (steers != COR_STEERS_NOT_SAID)
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            check(tally, COR_IDENTITY_STEERING_ANNOUNCED,
                  (suite->sequence[s].steered != NULL) == (steers == COR_STEERS), suite->row.suite, s);
    /* Profiles are numbered without a gap (cor_environment_check). */
    const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
    const struct cor_transition_row *transition = suite->table[COR_TABLE_TRANSITIONS].row;
    const size_t profiles = suite->table[COR_TABLE_PROFILES].count;
    uint32_t *listed = cor_calloc(profiles, sizeof *listed);
    COR_TRY(cor_made(listed, error));
    for (size_t t = 0; t < suite->table[COR_TABLE_TRANSITIONS].count; t++)
        if (transition[t].profile < profiles)
            listed[transition[t].profile] += transition[t].probability > 0;
    for (size_t p = 0; p < profiles; p++)
        check(tally, COR_IDENTITY_ARCS_LISTED, listed[p] == profile[p].arcs, suite->row.suite, 0);
    free(listed);
    return COR_OK;
}

/* ---- does a file contradict itself? One pass over all of it, whatever is to be shown */

/* Suites of each arm in the first table, which has a row for each, in ascending order from 0 on where the
 * experiment says how many there are. */
static enum cor_status count_suites(struct cor_result *result, const struct cor_announced *announced,
                                    uint64_t *had, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_table_schema *schema = &head->layer->tables[0];
    enum { BLOCK = 1024 };
    COR_FREED unsigned char *rows = cor_calloc(BLOCK, schema->row_size);
    COR_TRY(cor_made(rows, error));
    const uint64_t total = cor_result_size(result, 0);
    for (uint64_t first = 0, count; first < total; first += count) {
        count = total - first < BLOCK ? total - first : BLOCK;
        COR_TRY(cor_result_read_columns(result, 0, COR_ROW_KEY_COLUMNS, first, count, rows, error));
        for (uint64_t i = 0; i < count; i++) {
            const struct cor_row_key key = cor_row_key_of(rows + i * schema->row_size);
            const size_t arm = cor_arm_of_code(head, key.arm);
            if (arm == cor_arm_count(head))
                COR_TRY(read__foreign(error, schema->group,
                                      "suite %" PRIu32 " is of arm %u, which catalog/arm lacks", key.suite,
                                      key.arm));
            if (announced->suites > 0 && key.suite != had[arm])
                COR_TRY(read__foreign(error, schema->group,
                                      "arm %u has suite %" PRIu32 " where %" PRIu64 " is expected", key.arm,
                                      key.suite, had[arm]));
            had[arm]++;
        }
    }
    return COR_OK;
}

static enum cor_status check_head(struct cor_result *result, struct cor_announced *announced,
                                  struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    for (uint32_t c = 0; c < head->layer->catalog_count; c++) {
        COR_TRY(check_twins(head, c, false, error));
        if (is_named_once(head->layer, c))
            COR_TRY(check_twins(head, c, true, error));
    }
    COR_TRY(check_experiment(head, announced, error));
    uint64_t *had = cor_calloc(cor_arm_count(head), sizeof *had);
    COR_TRY(cor_made(had, error));
    enum cor_status status = count_suites(result, announced, had, error);
    if (status == COR_OK)
        status = check_plan(head, announced, had, error);
    free(had);
    return status;
}

/* The first that is broken, by arm. */
static enum cor_status say_broken(const struct cor_result_header *head,
                                  struct cor_identity_tally (*tally)[COR_IDENTITY_COUNT],
                                  struct cor_error *error) {
    for (size_t a = 0; a < cor_arm_count(head); a++)
        for (enum cor_identity i = 0; i < COR_IDENTITY_COUNT; i++)
            if (tally[a][i].broken > 0) {
                char place[128];
                snprintf(place, sizeof place, "arm %.100s", cor_arm_entry(head, a)->name);
                return cor_fail(
                    error, COR_STATUS_INPUT, place, "the file was not written by this program, or is damaged",
                    "contradicts itself: \"%s\" does not hold %" PRIu64 " of %" PRIu64 " times, %s",
                    cor_identity_sentence(i), tally[a][i].broken, tally[a][i].checked, tally[a][i].values);
            }
    return COR_OK;
}

/* Of continuous execution: a snapshot of each case, ticks of each reorganization, and one after another. */
static bool are_in_time(const struct cor_sequence_rows *s) {
    uint64_t before = 0;
    if (s->snapshot_count == 0)
        return s->tick_count == 0;
    if (s->snapshot_count != s->case_count || s->tick_count != s->reorganization_count)
        return false;
    for (size_t t = 0; t < s->tick_count; t++) {
        const struct cor_tick_row *row = &s->ticks[t];
        if (row->case_ != s->reorganizations[t].case_ || row->alarm < before || row->asked < row->alarm ||
            row->solution < row->asked || row->adopted < row->solution)
            return false;
        before = row->adopted;
    }
    for (size_t c = 1; c < s->snapshot_count; c++)
        if (s->snapshots[c].tick <= s->snapshots[c - 1].tick)
            return false;
    return true;
}

static enum cor_status judge_rows(struct cor_result *result, const struct cor_announced *announced,
                                  struct cor_identity_tally (*tally)[COR_IDENTITY_COUNT],
                                  struct cor_error *error) {
    struct cor_reading readings[COR_TABLE_COUNT];
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    for (enum cor_table t = 0; t < COR_TABLE_COUNT; t++)
        readings[t] = (struct cor_reading){t, NULL};
    COR_TRY(cor_suite_reader_create(result, readings, COR_TABLE_COUNT, &reader, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        COR_TRY(cor_environment_check(suite, error));
        COR_TRY(read__check_numbers(suite, result, error));
        COR_TRY(cor_identities_of_suite(suite, announced, tally[suite->arm], error));
        /* What only this pass reads. */
        if (suite->table[COR_TABLE_AGENTS].count != suite->row.agents)
            COR_TRY(cor_damaged(error, COR_TABLE_AGENTS,
                                "arm %u, suite %" PRIu32 " has %zu rows, expected %" PRIu32, suite->row.arm,
                                suite->row.suite, suite->table[COR_TABLE_AGENTS].count, suite->row.agents));
        const struct cor_violation_row *violation = suite->table[COR_TABLE_VIOLATIONS].row;
        for (size_t i = 0; i < suite->table[COR_TABLE_VIOLATIONS].count; i++)
            if (!cor_term(COR_FAMILY_BOX, violation[i].box) ||
                !cor_term(COR_FAMILY_CHECK, violation[i].check))
                COR_TRY(cor_damaged(error, COR_TABLE_VIOLATIONS,
                                    "arm %u, suite %" PRIu32 ": box %u, check %u, which means nothing",
                                    suite->row.arm, suite->row.suite, violation[i].box, violation[i].check));
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            if (!are_in_time(&suite->sequence[s]))
                COR_TRY(cor_damaged(error, COR_TABLE_TICKS,
                                    "arm %u, suite %" PRIu32 ", sequence %" PRIu32
                                    ": its reorganizations and snapshots are not in the order of time",
                                    suite->row.arm, suite->row.suite, s));
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            for (size_t r = 0; r < suite->sequence[s].reorganization_count; r++) {
                const struct cor_reorganization_row *row = &suite->sequence[s].reorganizations[r];
                if (row->interim_failed > row->interim_looks ||
                    (row->gray == COR_VERDICT_SMOKE) != (row->smoke > COR_SMOKE_NONE))
                    COR_TRY(cor_damaged(error, COR_TABLE_REORGANIZATIONS,
                                        "arm %u, suite %" PRIu32 ", sequence %" PRIu32 ", case %" PRIu32
                                        ": its verdict and how it ended contradict each other",
                                        suite->row.arm, suite->row.suite, s, row->case_));
            }
    }
    return COR_OK;
}

/* Tables of the other layers are judged where they are read; those that are read where they are shown alone,
 * or as they are, here. */
static const struct {
    const struct cor_layer_schema *layer;
    enum cor_status (*read)(struct cor_result *result, struct cor_layer_tables *tables,
                            struct cor_error *error);
    uint32_t alone; /* the table that is read where it is shown alone; 0: none is */
} others[] = {
#define OTHER(word, alone) {&cor_##word##_schema, cor_##word##_result_init, alone},
    OTHER(search, 0) OTHER(estimation, 0) COR_WITH_AGENT(OTHER(agent, COR_AGENT_TABLE_TRACES))
        COR_WITH_EFSM(OTHER(efsm, 0)) COR_WITH_SYSTEM(OTHER(system, 0)) COR_WITH_PROCESS(OTHER(process, 0))
#undef OTHER
};

static enum cor_status judge_layer(struct cor_result *result, const struct cor_announced *announced,
                                   struct cor_error *error) {
    const size_t count = sizeof others / sizeof *others;
    const struct cor_layer_schema *layer = cor_result_head(result)->layer;
    struct cor_layer_tables tables;
    size_t o = 0;
    if (layer == &cor_interaction_schema) {
        const struct cor_result_header *head = cor_result_head(result);
        struct cor_identity_tally(*tally)[COR_IDENTITY_COUNT] =
            cor_calloc(cor_arm_count(head), sizeof *tally);
        COR_TRY(cor_made(tally, error));
        enum cor_status status = judge_rows(result, announced, tally, error);
        if (status == COR_OK)
            status = say_broken(head, tally, error);
        free(tally);
        return status;
    }
    while (o < count && others[o].layer != layer)
        o++;
    enum cor_status status = o < count ? others[o].read(result, &tables, error)
                                       : cor_layer_tables_init(result, COR_ALL_TABLES, 0, &tables, error);
    COR_TRY(status);
    if (o < count && others[o].alone > 0)
        status = cor_layer_tables_add(&tables, others[o].alone, error);
    cor_layer_tables_fini(&tables);
    return status;
}

enum cor_status cor_identities_check(struct cor_result *result, struct cor_error *error) {
    struct cor_announced announced;
    COR_TRY(announced_begin(&announced, cor_result_head(result), error));
    enum cor_status status = check_head(result, &announced, error);
    if (status == COR_OK)
        status = judge_layer(result, &announced, error);
    cor_announced_fini(&announced);
    return status;
}
