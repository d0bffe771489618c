/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "region_learning.h"
#include "region_seam.h"

#include <corridor/array.h>
#include <corridor/region_quantities.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct listing {
    const struct cor_arm *arm;
    struct cor_region_quantities *to;
    struct cor_error *error;
};

static bool is_listed(const struct cor_region_quantities *quantities, const char *text) {
    for (uint32_t q = 0; q < quantities->count; q++)
        if (strcmp(quantities->texts[q], text) == 0)
            return true;
    return false;
}

/* Takes the text, which may be NULL. Of a number that is given nothing can be learnt. */
static enum cor_status list(struct listing *l, char *text) {
    const char *const *names = cor_parameter_laws_names(l->arm->laws);
    struct cor_expression made = {0};
    char *printed = NULL;
    enum cor_status status = cor_made(text, l->error);
    if (status == COR_OK)
        status = cor_expression_parse(text, names, false, NULL, &made, l->error);
    free(text);
    COR_TRY(status);
    printed = cor_expression_print(&made, made.node_count - 1, &(const struct cor_naming){.names = names});
    status = cor_made(printed, l->error);
    if (status != COR_OK || l->to->count == COR_REGION_QUANTITIES_MAX ||
        cor_expression_last_variable(&made) < 0 || is_listed(l->to, printed)) {
        cor_expression_fini(&made);
        free(printed);
        return status;
    }
    l->to->expressions[l->to->count] = made;
    l->to->texts[l->to->count++] = printed;
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
    char *agents = text_of(&r->agents), *size_min = text_of(&r->size_min), *size_max = text_of(&r->size_max),
         *count_min = text_of(&r->count_min), *count_max = text_of(&r->count_max);
    enum cor_status status = COR_OK;
    if (!agents || !size_min || !size_max || !count_min || !count_max) {
        status = cor_fail_memory(l->error);
        goto out;
    }
    COR_TRY_OUT(list(l, cor_format("%s - %s", size_max, size_min)));
    COR_TRY_OUT(list(l, cor_format("%s - %s", count_max, count_min)));
    COR_TRY_OUT(list(l, cor_format("%s / %s - %s", agents, size_min, count_min)));
    COR_TRY_OUT(list(l, cor_format("%s - ceil_div(%s, %s)", count_max, agents, size_max)));
    COR_TRY_OUT(list(l, cor_format("%s / %s - ceil_div(%s, %s)", agents, size_min, agents, size_max)));
    COR_TRY_OUT(list(l, cor_format("min(%s, %s / %s) - max(%s, ceil_div(%s, %s))", count_max, agents,
                                   size_min, count_min, agents, size_max)));
out:
    free(agents);
    free(size_min);
    free(size_max);
    free(count_min);
    free(count_max);
    return status;
}

/* Both sides of a comparison, and what is left of it. */
static enum cor_status list_sides(struct listing *l, const struct cor_expression *e,
                                  const struct cor_node *comparison) {
    const char *const *names = cor_parameter_laws_names(l->arm->laws);
    char *left = cor_expression_print(e, comparison->left, &(const struct cor_naming){.names = names}),
         *right = cor_expression_print(e, comparison->right, &(const struct cor_naming){.names = names});
    enum cor_status status = left && right ? COR_OK : cor_fail_memory(l->error);
    if (status == COR_OK)
        status = list(l, cor_strdup(left));
    if (status == COR_OK)
        status = list(l, cor_strdup(right));
    if (status == COR_OK)
        status = list(l, cor_format("(%s) - (%s)", right, left));
    free(left);
    free(right);
    return status;
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
    case COR_OPERATOR_NOT_EQUAL:
        return list_sides(l, e, n);
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
    free(quantities->expressions);
    free(quantities->texts);
    *quantities = (struct cor_region_quantities){0};
}

bool cor_region_quantities_row(const struct cor_region_quantities *quantities, const int64_t *integers,
                               int64_t *row) {
    for (uint32_t q = 0; q < quantities->count; q++)
        if (!cor_expression_value(&quantities->expressions[q], integers, &row[q]))
            return false;
    return true;
}

static char *bounds_text(const char *quantity, int64_t low, int64_t high) {
    const long long least = low, most = high;
    if (low == high)
        return cor_format("%s == %lld", quantity, least);
    if (high == COR_REGION_HIGHEST)
        return cor_format("%s >= %lld", quantity, least);
    if (low == COR_REGION_LOWEST)
        return cor_format("%s <= %lld", quantity, most);
    return cor_format("%lld <= %s <= %lld", least, quantity, most);
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
        char *text = bounds_text(quantities->texts[q], region->low[q], region->high[q]);
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

/* ---- region seam */

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

enum cor_status search_layer__seam_parse(const struct cor_arm *arm, const char *text,
                                         struct search_layer__seam *seam, struct cor_error *error) {
    *seam = (struct search_layer__seam){.is_probe = false};
    if (!text && arm->fault > 0)
        return COR_OK;
    if (text && arm->fault > 0 && strcasecmp(text, cor_algorithm_fault_name(arm->algorithm, arm->fault)) == 0)
        return COR_OK;
    if (text && parse_probe(arm->algorithm, text, seam))
        return COR_OK;
    /* "f5", probe[0..2], other[0]: what there is. NULL: memory is out. */
    char *known = arm->fault > 0 ? cor_format("\"%s\"", cor_algorithm_fault_name(arm->algorithm, arm->fault))
                                 : cor_strdup("");
    for (uint32_t c = 0; c < cor_algorithm_counter_count(arm->algorithm); c++) {
        const struct cor_counter *counter = &arm->algorithm->counters[c];
        known = cor_join_take(known, ", ",
                              counter->bucket_count > 1
                                  ? cor_format("%s[0..%u]", counter->name, counter->bucket_count - 1)
                                  : cor_format("%s[0]", counter->name));
    }
    char *remedy = known ? cor_format("known: %s", *known ? known : "none") : NULL;
    enum cor_status status = cor_made(remedy, error);
    if (status == COR_OK && text)
        status = cor_fail(error, COR_STATUS_INPUT, arm->name, remedy,
                          "%s has no seam \"%s\" that shows in this arm", arm->algorithm->name, text);
    else if (status == COR_OK)
        status = cor_fail(error, COR_STATUS_INPUT, arm->name, remedy,
                          "the arm has no fault: which seam is to be provoked?");
    free(known);
    free(remedy);
    return status;
}

enum search_layer__grade search_layer__seam_grade(const struct search_layer__seam *seam,
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

/* ---- region learning */

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
    free(l->support);
    free(l->tries);
    free(l->rows);
    free(l->rounds);
    free(l->integers);
    free(l->reals);
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

static enum cor_status learn_region(struct search_layer__region_learning *l, struct cor_error *error) {
    struct cor_region_definition definition = cor_default_region();
    bool *struck = cor_calloc(l->try_count, sizeof *struck);
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
    const enum cor_status status = cor_region_learn(&data, &definition, &l->region, error);
    free(struck);
    return status;
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

static enum cor_status begin_round(struct search_layer__region_learning *l, uint64_t cases,
                                   struct cor_error *error) {
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
    return COR_OK;
}

/* Rounds that learned from suites that came all the way, one after the other up to now. */
static size_t rounds_at_target(const struct search_layer__region_learning *l) {
    size_t count = 0;
    while (l->first_round + count < l->round_count &&
           l->rounds[l->round_count - 1 - count].row.target == SEARCH_LAYER__GRADE_ACTIVATED)
        count++;
    return count;
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
    COR_TRY(learn_region(l, error));
    if (cor_region_sides(&l->region) == 0) {
        draw_by_law(l);
        return COR_OK;
    }
    COR_TRY(narrow(l, error));
    if (!l->narrowed)
        return COR_OK;
    COR_TRY(begin_round(l, cases, error));
    l->settled = rounds_at_target(l) > ROUNDS || l->round_count - l->first_round >= ROUNDS_MAX;
    return COR_OK;
}

/* Suites drawn by the law, whenever. */
static struct cor_region_count count_law(const struct search_layer__region_learning *l,
                                         enum search_layer__grade target) {
    struct cor_region_count count = {0};
    for (enum search_layer__grade grade = SEARCH_LAYER__GRADE_NOTHING; grade < SEARCH_LAYER__GRADES;
         grade++) {
        count.rows += l->law[grade];
        count.struck += grade >= target ? l->law[grade] : 0;
    }
    return count;
}

void search_layer__region_learning_close(struct search_layer__region_learning *l) {
    for (size_t r = 0; r < l->round_count; r++) {
        struct cor_search_region_row *row = &l->rounds[r].row;
        const struct cor_region_count law = count_law(l, (enum search_layer__grade)row->target),
                                      fresh = {row->fresh, row->fresh_hits};
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
    search_layer__region_learning_close(l);
    if (!l->rounds[l->round_count - 1].row.settled)
        draw_by_law(l);
    return COR_OK;
}
