/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_learning.h"

#include <corridor/array.h>
#include <corridor/experiment.h>
#include <corridor/generator.h>
#include <corridor/steering.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct listing {
    const struct cor_arm *arm;
    struct cor_region_quantities *to;
    struct cor_error *error;
};

/* Takes the text, which may be NULL. Of a number that is given nothing can be learnt. */
static enum cor_status list(struct listing *l, char *text) {
    const char *const *names = cor_parameter_laws_names(l->arm->laws);
    struct cor_expression made = {0};
    COR_FREED char *printed = NULL;
    enum cor_status status = cor_made(text, l->error);
    if (status == COR_OK)
        status = cor_expression_parse(text, names, false, NULL, &made, l->error);
    free(text);
    COR_TRY(status);
    printed = cor_expression_print(&made, made.node_count - 1, &(const struct cor_naming){.names = names});
    status = cor_made(printed, l->error);
    bool is_listed = false;
    for (uint32_t q = 0; status == COR_OK && q < l->to->count; q++)
        is_listed = is_listed || strcmp(l->to->texts[q], printed) == 0;
    if (status != COR_OK || l->to->count == COR_REGION_QUANTITIES_MAX ||
        cor_expression_last_variable(&made) < 0 || is_listed) {
        cor_expression_fini(&made);
        return status;
    }
    l->to->expressions[l->to->count] = made;
    l->to->texts[l->to->count++] = cor_taken(&printed);
    return COR_OK;
}

static char *text_of(const struct cor_derived_quantity *quantity) {
    return quantity->expression.text ? cor_format("(%s)", quantity->expression.text)
                                     : cor_format("%lld", (long long)quantity->given);
}

/* Limits of the structure: from the least to the most, what each leaves to the other, and how many numbers of
 * partitions there are beyond the first. */
static enum cor_status list_limits(struct listing *l) {
    const struct cor_roles *r = &l->arm->roles;
    COR_FREED char *agents = text_of(&r->agents), *size_min = text_of(&r->size_min),
                   *size_max = text_of(&r->size_max), *count_min = text_of(&r->count_min),
                   *count_max = text_of(&r->count_max);
    if (!agents || !size_min || !size_max || !count_min || !count_max)
        return cor_fail_memory(l->error);
    COR_TRY(list(l, cor_format("%s - %s", size_max, size_min)));
    COR_TRY(list(l, cor_format("%s - %s", count_max, count_min)));
    COR_TRY(list(l, cor_format("%s / %s - %s", agents, size_min, count_min)));
    COR_TRY(list(l, cor_format("%s - ceil_div(%s, %s)", count_max, agents, size_max)));
    COR_TRY(list(l, cor_format("%s / %s - ceil_div(%s, %s)", agents, size_min, agents, size_max)));
    return list(l, cor_format("min(%s, %s / %s) - max(%s, ceil_div(%s, %s))", count_max, agents, size_min,
                              count_min, agents, size_max));
}

/* The comparisons of a constraint that must all hold. */
static enum cor_status list_comparisons(struct listing *l, const struct cor_expression *e, uint32_t node) {
    const struct cor_node *n = &e->nodes[node];
    switch (n->operator) {
    case COR_OPERATOR_AND:
        COR_TRY(list_comparisons(l, e, n->left));
        return list_comparisons(l, e, n->right);
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL: {
        /* Both sides of a comparison, and what is left of it. */
        const char *const *names = cor_parameter_laws_names(l->arm->laws);
        COR_FREED char *left = cor_expression_print(e, n->left, &(const struct cor_naming){.names = names}),
                       *right = cor_expression_print(e, n->right, &(const struct cor_naming){.names = names});
        COR_TRY(left && right ? COR_OK : cor_fail_memory(l->error));
        COR_TRY(list(l, cor_strdup(left)));
        COR_TRY(list(l, cor_strdup(right)));
        return list(l, cor_format("(%s) - (%s)", right, left));
    }
    default:
        return COR_OK;
    }
}

enum cor_status cor_region_quantities_init(const struct cor_arm *arm,
                                           struct cor_region_quantities *quantities,
                                           struct cor_error *error) {
    struct listing l = {arm, quantities, error};
    *quantities = (struct cor_region_quantities){
        .expressions = cor_calloc(COR_REGION_QUANTITIES_MAX, sizeof *quantities->expressions),
        .texts = cor_calloc(COR_REGION_QUANTITIES_MAX, sizeof *quantities->texts)};
    if (!quantities->expressions || !quantities->texts)
        return cor_fail_memory(error);
    for (uint32_t p = 0; p < cor_parameter_laws_size(l.arm->laws); p++)
        if (cor_parameter_laws_is_integer(l.arm->laws, p))
            COR_TRY(list(&l, cor_strdup(cor_parameter_laws_name(l.arm->laws, p))));
    COR_TRY(list_limits(&l));
    for (uint32_t c = 0; c < cor_parameter_laws_constraint_count(arm->laws); c++) {
        const struct cor_expression *constraint = cor_parameter_laws_constraint(arm->laws, c);
        COR_TRY(list_comparisons(&l, constraint, constraint->node_count - 1));
    }
    return COR_OK;
}

void cor_region_quantities_fini(struct cor_region_quantities *quantities) {
    for (uint32_t q = 0; q < quantities->count; q++) {
        cor_expression_fini(&quantities->expressions[q]);
        free(quantities->texts[q]);
    }
    COR_FREE(quantities->expressions, quantities->texts);
    *quantities = (struct cor_region_quantities){0};
}

bool cor_region_quantities_row(const struct cor_region_quantities *quantities, const int64_t *integers,
                               int64_t *row) {
    for (uint32_t q = 0; q < quantities->count; q++)
        if (!cor_expression_value(&quantities->expressions[q], integers, &row[q]))
            return false;
    return true;
}

enum cor_status cor_region_texts_make(const struct cor_region_quantities *quantities,
                                      const struct cor_region *region, struct cor_region_texts *texts,
                                      struct cor_error *error) {
    COR_ASSERT(quantities->count == region->quantity_count);
    *texts = (struct cor_region_texts){.texts = cor_calloc(quantities->count, sizeof *texts->texts)};
    COR_TRY(cor_made(texts->texts, error));
    for (uint32_t q = 0; q < region->quantity_count; q++) {
        if (region->low[q] == COR_REGION_LOWEST && region->high[q] == COR_REGION_HIGHEST)
            continue;
        const char *quantity = quantities->texts[q];
        const long long least = region->low[q], most = region->high[q];
        char *text = least == most                           ? cor_format("%s == %lld", quantity, least)
                     : region->high[q] == COR_REGION_HIGHEST ? cor_format("%s >= %lld", quantity, least)
                     : region->low[q] == COR_REGION_LOWEST
                         ? cor_format("%s <= %lld", quantity, most)
                         : cor_format("%lld <= %s <= %lld", least, quantity, most);
        if (!text) {
            cor_region_texts_fini(texts);
            return cor_fail_memory(error);
        }
        texts->texts[texts->count++] = text;
    }
    return COR_OK;
}

void cor_region_texts_fini(struct cor_region_texts *texts) {
    for (uint32_t t = 0; t < texts->count; t++)
        free(texts->texts[t]);
    free(texts->texts);
    *texts = (struct cor_region_texts){0};
}

char *cor_region_texts_join(const struct cor_region_texts *texts) {
    char *joined = cor_strdup(texts->count == 0 ? "true" : "");
    for (uint32_t t = 0; t < texts->count; t++)
        joined = cor_join_take(joined, " and ", cor_strdup(texts->texts[t]));
    return joined;
}

/* ---- a seam by its name, and how far a test came with it */

/* "name[bucket]". False: it is none of a probe that there is. */
static bool parse_probe(const struct cor_algorithm *algorithm, const char *text,
                        struct search_layer__seam *seam) {
    const char *bracket = strchr(text, '[');
    char *end;
    if (!bracket || bracket[1] < '0' || bracket[1] > '9')
        return false;
    const unsigned long bucket = strtoul(bracket + 1, &end, 10);
    if (strcmp(end, "]") != 0)
        return false;
    for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm); c++) {
        const struct cor_counter *counter = &algorithm->counters[c];
        if (strlen(counter->name) == (size_t)(bracket - text) &&
            strncmp(counter->name, text, strlen(counter->name)) == 0 && bucket < counter->bucket_count) {
            *seam = (struct search_layer__seam){.is_probe = true, .counter = c, .bucket = (uint32_t)bucket};
            return true;
        }
    }
    return false;
}

/* Reads what a user calls a seam: the arm's fault (so does NULL), or "probe[bucket]" for a probe of the
 * algorithm. COR_STATUS_INPUT says which there are. */
static enum cor_status seam_parse(const struct cor_arm *arm, const char *text,
                                  struct search_layer__seam *seam, struct cor_error *error) {
    *seam = (struct search_layer__seam){.is_probe = false};
    if (!text && arm->fault > 0)
        return COR_OK;
    if (text && arm->fault > 0 && strcasecmp(text, cor_algorithm_fault_name(arm->algorithm, arm->fault)) == 0)
        return COR_OK;
    if (text && parse_probe(arm->algorithm, text, seam))
        return COR_OK;
    /* "f5", probe[0..2], other[0]: what there is. NULL: memory is out. */
    COR_FREED char *known = arm->fault > 0
                                ? cor_format("\"%s\"", cor_algorithm_fault_name(arm->algorithm, arm->fault))
                                : cor_strdup("");
    for (uint32_t c = 0; c < cor_algorithm_counter_count(arm->algorithm); c++) {
        const struct cor_counter *counter = &arm->algorithm->counters[c];
        known = cor_join_take(known, ", ",
                              counter->bucket_count > 1
                                  ? cor_format("%s[0..%u]", counter->name, counter->bucket_count - 1)
                                  : cor_format("%s[0]", counter->name));
    }
    COR_FREED char *remedy = known ? cor_format("known: %s", *known ? known : "none") : NULL;
    enum cor_status status = cor_made(remedy, error);
    if (status == COR_OK && text)
        status = cor_fail(error, COR_STATUS_INPUT, arm->name, remedy,
                          "%s has no seam \"%s\" that shows in this arm", arm->algorithm->name, text);
    else if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INPUT, arm->name, remedy,
                          "the arm has no fault: which seam is to be provoked?");
    return status;
}

/* How far a test came. */
static enum search_layer__grade seam_grade(const struct search_layer__seam *seam,
                                           const struct cor_seen *seen) {
    uint64_t reached = 0, held = 0, activated = 0;
    if (seam->is_probe)
        return seen->probes[seen->probe_start[seam->counter] + seam->bucket] > 0
                   ? SEARCH_LAYER__GRADE_ACTIVATED
                   : SEARCH_LAYER__GRADE_NOTHING;
    for (size_t i = 0; i < cor_record_size(seen->record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = cor_record_at(seen->record, COR_TABLE_REORGANIZATIONS, i);
        reached += row->fault_reached;
        held += row->fault_held;
        activated += row->fault_activated;
    }
    return activated > 0 ? SEARCH_LAYER__GRADE_ACTIVATED
           : held > 0    ? SEARCH_LAYER__GRADE_HELD
           : reached > 0 ? SEARCH_LAYER__GRADE_REACHED
                         : SEARCH_LAYER__GRADE_NOTHING;
}

/* ---- learning a region in rounds of suites */

#define SUPPORT 4096      /* draws of the law */
#define SUPPORT_SHARE 100 /* a region has one of so many at least */
#define FIRST 50          /* suites of the law before anything is learned */
#define MORE 25           /* suites of a round, and of the law when nothing was learned */
#define LAW_SHARE 5       /* one of so many suites is drawn by the law in every round */
#define STRUCK_LEAST 5    /* suites that met the target, to learn from */
#define ROUNDS 2          /* of learning from suites that came all the way, until a region is settled */
#define ROUNDS_MAX 6      /* the same of any */
#define TRIES_MAX 10000   /* suites that are learned from; later ones are counted alone */
#define TRIALS 200        /* draws in a region that must succeed */
#define CHANCE_MOST 0.01  /* a settled region is kept below this */

enum cor_status search_layer__region_learning_init(const struct cor_generator_definition *definition,
                                                   struct search_layer__region_learning *l,
                                                   struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    const uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    *l = (struct search_layer__region_learning){.definition = definition, .due = FIRST};
    COR_TRY(cor_region_quantities_init(arm, &l->quantities, error));
    COR_TRY(cor_region_init(&l->region, l->quantities.count, error));
    l->support = cor_calloc((size_t)SUPPORT * l->quantities.count, sizeof *l->support);
    l->integers = cor_calloc(capacity, sizeof *l->integers);
    l->reals = cor_calloc(capacity, sizeof *l->reals);
    if (!l->support || !l->integers || !l->reals)
        return cor_fail_memory(error);
    for (uint32_t draw = 1; draw <= SUPPORT; draw++) {
        COR_TRY(cor_suite_draw(definition->experiment, definition->arm, definition->first_suite, draw,
                               l->integers, l->reals, error));
        l->support_count += cor_region_quantities_row(
            &l->quantities, l->integers, l->support + (size_t)l->support_count * l->quantities.count);
    }
    return COR_OK;
}

void search_layer__region_learning_fini(struct search_layer__region_learning *l) {
    for (size_t r = 0; r < l->round_count; r++)
        free(l->rounds[r].text);
    cor_region_quantities_fini(&l->quantities);
    cor_region_fini(&l->region);
    cor_parameter_laws_destroy(l->narrowed);
    COR_FREE(l->support, l->tries, l->rows, l->rounds, l->integers, l->reals);
    *l = (struct search_layer__region_learning){0};
}

const struct cor_parameter_laws *
search_layer__region_learning_laws(const struct search_layer__region_learning *l) {
    return l->narrowed && l->drawn % LAW_SHARE != LAW_SHARE - 1 ? l->narrowed : NULL;
}

/* The highest grade that enough tries have, but not all. SEARCH_LAYER__GRADE_NOTHING: none. */
static enum search_layer__grade find_target(const struct search_layer__region_learning *l) {
    for (enum search_layer__grade grade = SEARCH_LAYER__GRADE_ACTIVATED; grade > SEARCH_LAYER__GRADE_NOTHING;
         grade--) {
        uint32_t count = 0;
        for (size_t t = 0; t < l->try_count; t++)
            count += l->tries[t].grade >= grade;
        if (count >= STRUCK_LEAST && count < l->try_count)
            return grade;
    }
    return SEARCH_LAYER__GRADE_NOTHING;
}

/* Can the region be drawn in? *narrowed: the laws; NULL: no. */
static enum cor_status try_to_draw(struct search_layer__region_learning *l,
                                   struct cor_parameter_laws **narrowed, struct cor_error *error) {
    const struct cor_arm *arm = &l->definition->experiment->arms[l->definition->arm];
    const struct cor_stream_name name = {.seed = l->definition->experiment->seed,
                                         .arm = l->definition->arm + 1,
                                         .suite = l->definition->first_suite,
                                         .entity = (uint32_t)l->round_count + 1,
                                         .purpose = COR_PURPOSE_SEARCH};
    struct cor_rng rng = cor_rng_named(&name);
    struct cor_region_texts texts;
    struct cor_draw draw;
    COR_TRY(cor_region_texts_make(&l->quantities, &l->region, &texts, error));
    enum cor_status status = cor_parameter_laws_narrow(arm->laws, (const char *const *)texts.texts,
                                                       texts.count, arm->name, narrowed, error);
    cor_region_texts_fini(&texts);
    COR_TRY(status);
    for (uint32_t trial = 0; trial < TRIALS && status == COR_OK; trial++)
        status = cor_parameter_laws_draw(*narrowed, &rng, l->integers, l->reals, &draw, NULL);
    if (status == COR_OK)
        return COR_OK;
    cor_parameter_laws_destroy(*narrowed);
    *narrowed = NULL;
    return status == COR_STATUS_UNSATISFIABLE ? COR_OK : cor_fail_memory(error);
}

/* What the law draws of a quantity: in the region and anywhere. */
struct spread {
    int64_t low, high, all_low, all_high;
};

/* Parameters are drawn stage by stage, and a stage that can no longer come into the region is not drawn anew:
 * what it asks of earlier stages is said of their parameters, too, side by side as far as it is needed. */
static enum cor_status narrow(struct search_layer__region_learning *l, struct cor_error *error) {
    const struct cor_arm *arm = &l->definition->experiment->arms[l->definition->arm];
    struct cor_parameter_laws *narrowed = NULL;
    COR_TRY(try_to_draw(l, &narrowed, error));
    /* Quantities begin with the integer parameters, of which there may be more than there is room for. */
    for (uint32_t p = 0, q = 0;
         p < cor_parameter_laws_size(arm->laws) && q < l->quantities.count && !narrowed; p++) {
        if (!cor_parameter_laws_is_integer(arm->laws, p))
            continue;
        struct spread s = {INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
        for (uint32_t d = 0; d < l->support_count; d++) {
            const int64_t *row = l->support + (size_t)d * l->quantities.count, value = row[q];
            s.all_low = value < s.all_low ? value : s.all_low;
            s.all_high = value > s.all_high ? value : s.all_high;
            if (!cor_region_has(&l->region, row))
                continue;
            s.low = value < s.low ? value : s.low;
            s.high = value > s.high ? value : s.high;
        }
        if (s.low <= s.high && s.low > s.all_low && l->region.low[q] < s.low) {
            l->region.low[q] = s.low;
            COR_TRY(try_to_draw(l, &narrowed, error));
        }
        if (!narrowed && s.low <= s.high && s.high < s.all_high && l->region.high[q] > s.high) {
            l->region.high[q] = s.high;
            COR_TRY(try_to_draw(l, &narrowed, error));
        }
        q++;
    }
    cor_parameter_laws_destroy(l->narrowed);
    l->narrowed = narrowed;
    return COR_OK;
}

static void draw_by_law(struct search_layer__region_learning *l) {
    cor_parameter_laws_destroy(l->narrowed);
    l->narrowed = NULL;
    l->settled = false;
    l->first_round = l->round_count;
}

static enum cor_status learn_more(struct search_layer__region_learning *l, uint64_t cases,
                                  struct cor_error *error) {
    l->target = find_target(l);
    if (l->target == SEARCH_LAYER__GRADE_NOTHING) {
        draw_by_law(l);
        return COR_OK;
    }
    struct cor_region_definition definition = cor_default_region();
    COR_FREED bool *struck = cor_calloc(l->try_count, sizeof *struck);
    COR_TRY(cor_made(struck, error));
    for (size_t t = 0; t < l->try_count; t++)
        struck[t] = l->tries[t].grade >= l->target;
    const struct cor_region_data data = {.quantity_count = l->quantities.count,
                                         .row_count = (uint32_t)l->try_count,
                                         .rows = l->rows,
                                         .struck = struck,
                                         .support_count = l->support_count,
                                         .support = l->support};
    definition.fewest_support = l->support_count / SUPPORT_SHARE;
    for (uint32_t q = 0; q < l->quantities.count; q++) {
        l->region.low[q] = COR_REGION_LOWEST;
        l->region.high[q] = COR_REGION_HIGHEST;
    }
    COR_TRY(cor_region_learn(&data, &definition, &l->region, error));
    if (cor_region_sides(&l->region) == 0) {
        draw_by_law(l);
        return COR_OK;
    }
    COR_TRY(narrow(l, error));
    if (!l->narrowed)
        return COR_OK;
    COR_TRY(COR_RESERVE(&l->rounds, &l->round_capacity, l->round_count + 1, error));
    struct search_layer__region_round *round = &l->rounds[l->round_count];
    *round = (struct search_layer__region_round){0};
    struct cor_region_texts texts;
    COR_TRY(cor_region_texts_make(&l->quantities, &l->region, &texts, error));
    round->text = cor_strdup("");
    for (uint32_t t = 0; t < texts.count; t++)
        round->text = cor_join_take(round->text, "\n", cor_strdup(texts.texts[t]));
    cor_region_texts_fini(&texts);
    COR_TRY(cor_made(round->text, error));
    struct cor_search_region_row *row = &round->row;
    row->round = (uint32_t)++l->round_count;
    row->cases = cases;
    row->target = (uint8_t)l->target;
    row->suites = (uint32_t)l->try_count;
    for (size_t t = 0; t < l->try_count; t++) {
        const bool hit = l->tries[t].grade >= l->target,
                   inside = cor_region_has(&l->region, l->rows + t * l->quantities.count);
        row->hits += hit;
        row->inside += inside;
        row->inside_hits += inside && hit;
    }
    for (uint32_t d = 0; d < l->support_count; d++)
        row->support_inside += cor_region_has(&l->region, l->support + (size_t)d * l->quantities.count);
    row->support = l->support_count;
    /* Rounds that learned from suites that came all the way, one after the other up to now. */
    size_t count = 0;
    while (l->first_round + count < l->round_count &&
           l->rounds[l->round_count - 1 - count].row.target == SEARCH_LAYER__GRADE_ACTIVATED)
        count++;
    l->settled = count > ROUNDS || l->round_count - l->first_round >= ROUNDS_MAX;
    return COR_OK;
}

/* What is known of the last region: adds up suites drawn by the law. */
static void region_learning_close(struct search_layer__region_learning *l) {
    for (size_t r = 0; r < l->round_count; r++) {
        struct cor_search_region_row *row = &l->rounds[r].row;
        /* Suites drawn by the law, whenever. */
        const struct cor_region_count fresh = {row->fresh, row->fresh_hits};
        struct cor_region_count law = {0};
        for (enum search_layer__grade grade = SEARCH_LAYER__GRADE_NOTHING; grade < SEARCH_LAYER__GRADES;
             grade++) {
            law.rows += l->law[grade];
            law.struck += grade >= (enum search_layer__grade)row->target ? l->law[grade] : 0;
        }
        row->law = law.rows;
        row->law_hits = law.struck;
        row->chance = row->fresh > 0 ? cor_region_chance(fresh, law) : 1;
        row->settled = l->settled && r + 1 == l->round_count && row->chance <= CHANCE_MOST;
    }
}

enum cor_status search_layer__region_learning_see(struct search_layer__region_learning *l,
                                                  const double *parameters, bool by_law,
                                                  enum search_layer__grade grade, uint64_t cases,
                                                  struct cor_error *error) {
    if (!by_law) {
        struct cor_search_region_row *row = &l->rounds[l->round_count - 1].row;
        row->fresh++;
        row->fresh_hits += grade >= (enum search_layer__grade)row->target;
    }
    l->drawn++;
    l->seen++;
    l->law[grade] += by_law;
    if (l->try_count < TRIES_MAX) {
        const struct search_layer__region_try tried = {(uint8_t)grade};
        const struct cor_arm *arm = &l->definition->experiment->arms[l->definition->arm];
        for (uint32_t p = 0; p < cor_parameter_laws_size(arm->laws); p++)
            l->integers[p] = cor_parameter_laws_is_integer(arm->laws, p) ? (int64_t)parameters[p] : 0;
        COR_TRY(COR_RESERVE(&l->tries, &l->try_capacity, l->try_count + 1, error));
        COR_TRY(COR_RESERVE(&l->rows, &l->row_capacity, (l->try_count + 1) * l->quantities.count, error));
        if (cor_region_quantities_row(&l->quantities, l->integers,
                                      l->rows + l->try_count * l->quantities.count))
            l->tries[l->try_count++] = tried;
    }
    if (l->seen < l->due)
        return COR_OK;
    if (!l->settled) {
        /* Where nothing was learned, the next time is the later the more suites were in vain. */
        l->drawn = 0;
        COR_TRY(learn_more(l, cases, error));
        l->due = l->seen + (l->narrowed || l->seen / 4 < MORE ? MORE : l->seen / 4);
        return COR_OK;
    }
    l->due = l->seen + MORE;
    /* Is what was drawn in the settled region no better than what the law draws? */
    region_learning_close(l);
    if (!l->rounds[l->round_count - 1].row.settled)
        draw_by_law(l);
    return COR_OK;
}

/* ---- walks to traps that can be made before the system reacts: traps over environments and parameters alone
 */

struct search_layer__trap_walks {
    struct cor_arm arm; /* as the experiment's, but for traps, which are owned */
};

static enum cor_status refuse(const char *place, struct cor_error *error, const char *remedy,
                              const char *cause) {
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

/* Of options->trap: a condition, or several with semicolons between them, each of which waits for the one
 * before it. COR_STATUS_INPUT says what it cannot be steered by. */
static enum cor_status trap_walks_init(const struct cor_generator_definition *definition,
                                       struct search_layer__trap_walks *walks, struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    struct cor_vocabulary *vocabulary;
    walks->arm = *arm;
    walks->arm.traps = NULL;
    if (arm->source != &cor_source_profile)
        return refuse(arm->name, error, "name an arm whose environment is \"profile\"",
                      "its walks do not follow the profiles: there is no likeliest one");
    COR_TRY(cor_model_vocabulary(definition->experiment->model, arm, &vocabulary, error));
    COR_TRY(cor_case_traps_parse(definition->options->trap, COR_PROFILE_SHARE_MIN, vocabulary, "trap",
                                 &walks->arm.traps, error));
    walks->arm.source = &cor_source_traps;
    /* A walk is made before the system reacts. */
    for (uint32_t t = 0; t < walks->arm.traps->count; t++) {
        const struct cor_case_condition_part *whole =
            cor_case_condition_root(&walks->arm.traps->traps[t].condition);
        if (whole->reads_reaction)
            return refuse(walks->arm.name, error,
                          "environments and parameters alone; an arm with \"traps\", in a campaign, is "
                          "steered by reactions, too",
                          "the trap speaks of reactions, and a walk is made before the system reacts");
        if (whole->environments == 0)
            return refuse(walks->arm.name, error, "name a state of an environment",
                          "the trap speaks of no environment: no walk leads to it");
    }
    return COR_OK;
}

/* Frees what it holds. Idempotent. */
static void trap_walks_fini(struct search_layer__trap_walks *walks) {
    cor_case_traps_destroy(walks->arm.traps);
    walks->arm.traps = NULL;
}

/* The first sequence of a suite as a test that is steered to the traps, as that of an arm of a campaign with
 * these traps and a profile share of 0.1; its weight goes into the proposal. The suite, of the same arm of
 * the experiment, is of the walks' arm afterwards, and may go. */
static enum cor_status trap_walks_test(const struct search_layer__trap_walks *walks, struct cor_suite *suite,
                                       struct cor_proposal *proposal, struct cor_error *error) {
    COR_FINISHED(cor_walk) struct cor_walk walk = {0};
    bool by_profile;
    suite->arm = &walks->arm;
    cor_walk_init(&walk);
    COR_TRY(cor_suite_steer(suite, error));
    COR_TRY(cor_suite_walk(suite, 0, &walk, error));
    /* To its end, case by case, by what is known of the environment alone. */
    const struct cor_reaction nothing = {.counted = NULL};
    for (uint32_t number = 1; number <= walk.case_count; number++) {
        struct cor_observation observed = {.name = walk.definition.name};
        observed.name.identity = number;
        COR_TRY(cor_walk_reach(&walk, number, &observed, error));
        cor_walk_see(&walk, number, &nothing);
    }
    cor_walk_end(&walk);
    proposal->has_weight = cor_steering_weight(&walk, &proposal->weight, &by_profile);
    return cor_test_of_sequence(suite, 0, NULL, &walk, &proposal->test, error);
}

/* ---- the generator "directed": suites in the region of the parameters in which a seam is provoked, which it
 * learns. Of each suite it takes the first sequence: another suite tells more of the parameters than another
 * walk. With a trap its walk is steered there */

struct directed {
    struct cor_generator_definition definition;
    struct search_layer__seam seam;
    struct search_layer__region_learning learning;
    struct search_layer__trap_walks walks; /* where options->trap is given */
    uint32_t suite_count;
    bool by_law;       /* the last suite */
    int64_t *integers; /* owned; room for one draw */
    double *reals;     /* owned */
};

static enum cor_status check(const struct cor_generator_definition *definition, struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    const struct cor_generator_options *options = definition->options;
    struct search_layer__seam seam;
    COR_TRY(cor_generator_check_walks(definition, error));
    if (options->trap) {
        struct search_layer__trap_walks walks;
        const enum cor_status status = trap_walks_init(definition, &walks, error);
        trap_walks_fini(&walks);
        COR_TRY(status);
    }
    if (arm->configurations || arm->configuration_traps || arm->explored)
        return cor_fail(error, COR_STATUS_INPUT, arm->name, "leave \"configurations\" out",
                        "the arm says already which configurations it has");
    return seam_parse(arm, options->seam, &seam, error);
}

static void destroy(void *self) {
    COR_FREED struct directed *directed = self;
    if (!directed)
        return;
    search_layer__region_learning_fini(&directed->learning);
    trap_walks_fini(&directed->walks);
    COR_FREE(directed->integers, directed->reals);
}

static enum cor_status create(const struct cor_generator_definition *definition, void **self,
                              struct cor_error *error) {
    const struct cor_arm *arm = &definition->experiment->arms[definition->arm];
    const uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    struct directed *directed = *self = cor_calloc(1, sizeof *directed);
    COR_TRY(cor_made(directed, error));
    directed->definition = *definition;
    COR_TRY(seam_parse(arm, definition->options->seam, &directed->seam, error));
    directed->integers = cor_calloc(capacity, sizeof *directed->integers);
    directed->reals = cor_calloc(capacity, sizeof *directed->reals);
    if (!directed->integers || !directed->reals)
        return cor_fail_memory(error);
    if (definition->options->trap)
        COR_TRY(trap_walks_init(&directed->definition, &directed->walks, error));
    return search_layer__region_learning_init(&directed->definition, &directed->learning, error);
}

static enum cor_status next(void *self, struct cor_proposal *proposal, struct cor_error *error) {
    struct directed *directed = self;
    const struct cor_generator_definition *d = &directed->definition;
    const struct cor_parameter_laws *laws = search_layer__region_learning_laws(&directed->learning);
    const uint32_t index = d->first_suite + directed->suite_count++ % COR_ISLAND_SUITES;
    COR_DESTROYED(cor_suite) struct cor_suite *suite = NULL;
    *proposal =
        (struct cor_proposal){.mutation = laws ? COR_MUTATION_REGION : COR_MUTATION_FRESH, .energy = 1};
    directed->by_law = !laws;
    if (laws) {
        /* Suite `index` of the arm if its laws were these. */
        const struct cor_stream_name name = {.seed = d->experiment->seed,
                                             .arm = cor_experiment_stream(d->experiment, d->arm),
                                             .suite = index,
                                             .purpose = COR_PURPOSE_CONFIGURATION};
        struct cor_rng rng = cor_rng_named(&name);
        struct cor_draw draw;
        COR_TRY(cor_parameter_laws_draw(laws, &rng, directed->integers, directed->reals, &draw, error));
        COR_TRY(cor_suite_generate_of(d->experiment, d->arm, index, directed->reals, &suite, error));
    } else {
        COR_TRY(cor_suite_generate(d->experiment, d->arm, index, &suite, error));
    }
    return d->options->trap ? trap_walks_test(&directed->walks, suite, proposal, error)
                            : cor_suite_test(suite, 0, &proposal->test, error);
}

static enum cor_status see(void *self, const struct cor_seen *seen, struct cor_error *error) {
    struct directed *directed = self;
    return search_layer__region_learning_see(&directed->learning, seen->test->suite->parameters,
                                             directed->by_law, seam_grade(&directed->seam, seen), seen->cases,
                                             error);
}

static enum cor_status finish(void *self, struct cor_record *record, struct cor_error *error) {
    struct directed *directed = self;
    struct search_layer__region_learning *learning = &directed->learning;
    region_learning_close(learning);
    for (size_t r = 0; r < learning->round_count; r++) {
        struct cor_search_region_row *row = cor_record_row(record, COR_SEARCH_TABLE_REGIONS, error);
        COR_TRY(cor_made(row, error));
        struct cor_search_region_row filled = learning->rounds[r].row;
        filled.arm = row->arm;
        filled.suite = row->suite;
        *row = filled;
        const char *text = learning->rounds[r].text;
        row->text = (uint32_t)strlen(text);
        COR_TRY(cor_record_put(record, COR_SEARCH_VECTOR_TEXT, text, row->text, &row->text_start, error));
    }
    return COR_OK;
}

const struct cor_generator cor_generator_directed = {
    .name = "directed",
    .takes = 1u << COR_GENERATOR_SEAM | 1u << COR_GENERATOR_TRAP,
    .meaning = "suites in the region of the parameters in which a seam is provoked, which it learns",
    .check = check,
    .create = create,
    .next = next,
    .see = see,
    .finish = finish,
    .destroy = destroy,
};
