/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/explored.h>
#include <corridor/fields.h>
#include <corridor/inquiries.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members as they are written; NaN: not there. */
struct written {
    const char *property, *arm, *minus;
    uint32_t method;
    double alpha, beta, indifference, width, level, factor;
};

static const char *const methods[] = {
#define METHOD_WORD(NAME, word) word,
    COR_RULING_METHODS(METHOD_WORD)
#undef METHOD_WORD
        NULL};
static const struct cor_field inquiry_fields[] = {
    {"property", COR_REQUIRED, COR_STRING_FIELD(struct written, property)},
    {"arm", COR_OPTIONAL, COR_STRING_FIELD(struct written, arm)},
    {"minus", COR_OPTIONAL, COR_STRING_FIELD(struct written, minus)},
    {"method", COR_OPTIONAL, COR_ONE_OF_FIELD(struct written, method, methods, 1, "method")},
    {"alpha", COR_OPTIONAL, COR_REAL_FIELD(struct written, alpha, 0, 1)},
    {"beta", COR_OPTIONAL, COR_REAL_FIELD(struct written, beta, 0, 1)},
    {"indifference", COR_OPTIONAL, COR_REAL_FIELD(struct written, indifference, 0, 1e300)},
    {"width", COR_OPTIONAL, COR_REAL_FIELD(struct written, width, 0, 1e300)},
    {"level", COR_OPTIONAL, COR_REAL_FIELD(struct written, level, 0, 1)},
    {"factor", COR_OPTIONAL, COR_REAL_FIELD(struct written, factor, 1, 1e300)},
    {0}};

static void set(double *value, double written) {
    if (!isnan(written))
        *value = written;
}

/* Cases that a property is asked over: where in its text that stands, and which. */
struct curve {
    const char *at;     /* " at 1..50"; NULL: it is asked once */
    const char *behind; /* what comes behind that */
    unsigned long first, last;
};

static struct curve find_curve(const char *text) {
    struct curve curve = {0};
    for (const char *at = text; (at = strstr(at, " at ")); at++) {
        char *end;
        const unsigned long first = strtoul(at + strlen(" at "), &end, 10);
        if (end == at + strlen(" at ") || strncmp(end, "..", 2) != 0 || !strchr("0123456789", end[2]))
            continue;
        const unsigned long last = strtoul(end + 2, &end, 10);
        curve = (struct curve){at, end, first, last};
    }
    return curve;
}

/* The property in one case: of a formula what holds so many cases behind the first, of an amount "at". */
static char *text_in_case(const char *text, const struct curve *curve, unsigned long number) {
    const int before = (int)(curve->at - text);
    const char *open = strchr(text, '['), *close = curve->at;
    if (strchr(curve->behind, ']') || !open || open >= curve->at)
        return cor_format("%.*s at %lu%s", before, text, number, curve->behind);
    while (close > open && *close != ']')
        close--;
    return cor_format("%.*s[ next[%lu, %lu] (%.*s) ]%s", (int)(open - text), text, number - 1, number - 1,
                      (int)(close - open - 1), open + 1, curve->behind);
}

static enum cor_status read_inquiry(const struct cor_json *json, const struct written *said, const char *text,
                                    const struct cor_result_header *head, struct cor_inquiry *inquiry,
                                    struct cor_error *error) {
    struct written written = *said;
    char place[600];
    cor_json_place(json, place, sizeof place);
    written.property = text;
    inquiry->arm_index = inquiry->minus_index = inquiry->other_suite = COR_NOBODY;
    COR_TRY(cor_property_parse_of(head, written.property, place, &inquiry->property, error));
    if (written.arm)
        COR_TRY(cor_made(inquiry->arm = cor_strdup(written.arm), error));
    if (written.minus)
        COR_TRY(cor_made(inquiry->minus = cor_strdup(written.minus), error));
    if (written.minus && !written.arm)
        return cor_json_fail(json, error, "name the other arm by \"arm\"", "says \"minus\" without an arm");
    const bool is_steady = cor_property_kind(inquiry->property) == COR_PROPERTY_STEADY;
    if (written.minus && (is_steady || cor_property_quantile(inquiry->property) > 0))
        return cor_json_fail(json, error, "compare P or E", "Q and S are not compared between arms");
    /* How the claim is decided: the usual rule, but for what is said. A width that is said, and nothing else,
     * asks for that method. */
    const struct cor_property *property = inquiry->property;
    const enum cor_property_relation relation = cor_property_relation(property);
    struct cor_ruling_rule *rule = &inquiry->rule;
    *rule = cor_ruling_rule(cor_property_kind(property) == COR_PROPERTY_PROBABILITY && !inquiry->minus,
                            relation != COR_PROPERTY_NO_RELATION, relation == COR_PROPERTY_AT_LEAST,
                            cor_property_bound(property));
    rule->quantile = cor_property_quantile(property);
    if (rule->quantile > 0)
        rule->indifference = fmin(0.01, fmin(rule->quantile, 1 - rule->quantile) / 2);
    set(&rule->alpha, written.alpha);
    set(&rule->beta, written.beta);
    set(&rule->indifference, written.indifference);
    set(&rule->width, written.width);
    set(&rule->level, written.level);
    set(&rule->factor, written.factor);
    if (written.method > 0)
        rule->method = (enum cor_ruling_method)(written.method - 1);
    else if (!isnan(written.width))
        rule->method = COR_RULING_WIDTH;
    else if (!isnan(written.factor))
        rule->method = COR_RULING_BAYES;
    struct cor_error inner = {0};
    if (cor_ruling_rule_check(&inquiry->rule, &inner) != COR_OK)
        return cor_json_fail(json, error, inner.remedy, "%s", inner.cause);
    if (!inquiry->rule.is_claimed && inquiry->rule.method != COR_RULING_WIDTH)
        return cor_json_fail(json, error, "claim something, as in P >= 0.99 [ .. ], or say \"width\"",
                             "\"%.100s\" inquiries nothing that a test could decide", written.property);
    return COR_OK;
}

enum cor_status cor_inquiries_read(const struct cor_json *json, struct cor_inquiries *inquiries,
                                   struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, COR_INQUIRIES_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        /* One property, or one for each case that it is asked over. */
        struct written written = {
            .alpha = NAN, .beta = NAN, .indifference = NAN, .width = NAN, .level = NAN, .factor = NAN};
        if (cor_json_is_string(&item))
            COR_TRY(cor_json_string(&item, &written.property, error));
        else
            COR_TRY(cor_json_fields(&item, inquiry_fields, &written, error));
        const struct curve curve = find_curve(written.property);
        if (curve.at && (curve.first < 1 || curve.first > curve.last ||
                         curve.last - curve.first >= COR_INQUIRIES_MAX - inquiries->count))
            return cor_json_fail(&item, error, "such as at 1..50",
                                 "\"%.100s\" is over cases from 1 on, ascending, and at most %d",
                                 written.property, COR_INQUIRIES_MAX);
        for (unsigned long number = curve.first; number <= curve.last; number++) {
            char *text =
                curve.at ? text_in_case(written.property, &curve, number) : cor_strdup(written.property);
            COR_TRY(cor_made(text, error));
            enum cor_status status =
                COR_RESERVE(&inquiries->items, &inquiries->capacity, inquiries->count + 1, error);
            if (status == COR_OK) {
                inquiries->items[inquiries->count] = (struct cor_inquiry){0};
                struct cor_inquiry *inquiry = &inquiries->items[inquiries->count++];
                status = read_inquiry(&item, &written, text, inquiries->head, inquiry, error);
                inquiry->at = (uint32_t)number;
                if (status == COR_OK && curve.at)
                    status = cor_made(inquiry->curve = cor_strdup(written.property), error);
            }
            free(text);
            COR_TRY(status);
        }
    }
    return COR_OK;
}

/* The greatest number that a member of the object is, or that stands last in [least, most]; otherwise: it is
 * not there; infinite: it is no number. */
static double most_of(const struct cor_json *object, const char *key, double otherwise) {
    struct cor_json member;
    double most;
    if (!cor_json_is_object(object) || !cor_json_find(object, key, &member))
        return otherwise;
    const bool is_range = cor_json_is_array(&member) && cor_json_size(&member) == 2;
    const struct cor_json last = is_range ? cor_json_at(&member, 1) : member;
    return cor_json_real(&last, 1, UINT32_MAX, &most, NULL) == COR_OK ? most : INFINITY;
}

struct cor_property_limits cor_property_limits(const struct cor_json *experiment,
                                               const struct cor_property_source *source) {
    const double usual = source->usual > 0 ? (double)source->usual : (double)INFINITY;
    struct cor_json list, model;
    if (!cor_json_is_object(experiment))
        return (struct cor_property_limits){INFINITY, INFINITY, INFINITY};
    const bool has_tests = cor_json_find(experiment, "tests", &list);
    double most = has_tests ? 0 : most_of(experiment, source->limit, usual);
    for (size_t t = 0; has_tests && t < cor_json_size(&list); t++) {
        const struct cor_json test = cor_json_at(&list, t);
        most = fmax(most, most_of(&test, source->limit, usual));
    }
    const bool has_arms = cor_json_find(experiment, "arms", &list);
    for (size_t a = 0; has_arms && cor_json_is_object(&list) && a < cor_json_size(&list); a++) {
        const struct cor_json arm = cor_json_at(&list, a);
        most = fmax(most, most_of(&arm, source->limit, most));
    }
    const double agents =
        cor_json_find(experiment, "model", &model) ? most_of(&model, "agents", INFINITY) : INFINITY;
    /* Rows of test agents are their turns, of which a cycle has several. */
    return (struct cor_property_limits){has_tests ? INFINITY : most, agents, most};
}

/* What is taken of suites: by how much one sequence can say more than another, where arms are compared. */
static void begin(struct cor_inquiry *inquiry, const struct cor_property_limits *limits) {
    const struct cor_real_range range = cor_property_range(inquiry->property, limits);
    inquiry->rule.low = inquiry->minus ? range.low - range.high : range.low;
    inquiry->rule.high = inquiry->minus ? range.high - range.low : range.high;
    cor_ruling_init(&inquiry->ruling, &inquiry->rule);
}

static enum cor_status find_name(const char *name, const char *const *names, const char *place,
                                 uint32_t *index, struct cor_error *error) {
    char remedy[1024];
    for (*index = 0; names[*index]; ++*index)
        if (strcmp(names[*index], name) == 0)
            return COR_OK;
    cor_known_names(name, names, remedy, sizeof remedy);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "the experiment has no arm \"%.200s\"", name);
}

enum cor_status cor_inquiries_find_arms(struct cor_inquiries *inquiries, const char *const *names,
                                        const char *experiment, const char *place, struct cor_error *error) {
    struct cor_inquiries found = {0};
    struct cor_json_document *document = NULL;
    uint32_t arms = 0;
    enum cor_status status = COR_OK;
    if (inquiries->count == 0)
        return COR_OK;
    COR_TRY(cor_json_parse(experiment, place ? place : "the experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    const struct cor_layer_schema *layer = inquiries->head ? inquiries->head->layer : &cor_interaction_schema;
    const struct cor_property_limits limits = cor_property_limits(&root, layer->asked);
    while (names[arms])
        arms++;
    found.items = cor_calloc((size_t)inquiries->count * arms + inquiries->count, sizeof *found.items);
    COR_TRY_OUT(cor_made(found.items, error));
    for (uint32_t c = 0; c < inquiries->count; c++) {
        struct cor_inquiry *inquiry = &inquiries->items[c];
        if (inquiry->arm) {
            COR_TRY_OUT(find_name(inquiry->arm, names, place, &inquiry->arm_index, error));
            if (inquiry->minus)
                COR_TRY_OUT(find_name(inquiry->minus, names, place, &inquiry->minus_index, error));
            found.items[found.count++] = *inquiry;
            *inquiry = (struct cor_inquiry){0}; /* taken over */
        } else
            for (uint32_t a = 0; a < arms; a++) {
                /* The inquiry, without an arm, as that of one arm. */
                struct cor_inquiry *made = &found.items[found.count++];
                *made = (struct cor_inquiry){.arm_index = a,
                                             .minus_index = COR_NOBODY,
                                             .other_suite = COR_NOBODY,
                                             .rule = inquiry->rule};
                COR_TRY_OUT(cor_made(made->arm = cor_strdup(names[a]), error));
                if (inquiry->curve)
                    COR_TRY_OUT(cor_made(made->curve = cor_strdup(inquiry->curve), error));
                made->at = inquiry->at;
                COR_TRY_OUT(cor_property_parse_of(inquiries->head, cor_property_text(inquiry->property), NULL,
                                                  &made->property, error));
            }
    }
    for (uint32_t c = 0; c < found.count; c++)
        begin(&found.items[c], &limits);
out:
    cor_json_destroy(document);
    cor_inquiries_fini(inquiries); /* and nothing is read by their catalogs any more */
    *inquiries = found;
    return status;
}

bool cor_configurations_find(const struct cor_json *experiment, const struct cor_json *arm,
                             struct cor_json *configurations) {
    struct cor_json name, presets, preset;
    const char *called;
    if (cor_json_find(arm, "configurations", configurations))
        return true;
    if (cor_json_find(arm, "preset", &name) && cor_json_string(&name, &called, NULL) == COR_OK &&
        cor_json_find(experiment, "presets", &presets) && cor_json_find(&presets, called, &preset) &&
        cor_json_is_object(&preset) && cor_json_find(&preset, "configurations", configurations))
        return true;
    return cor_json_find(experiment, "configurations", configurations);
}

static bool concerns(const struct cor_inquiry *inquiry, const char *arm) {
    return !inquiry->is_given && (!inquiry->arm || strcmp(inquiry->arm, arm) == 0 ||
                                  (inquiry->minus && strcmp(inquiry->minus, arm) == 0));
}

enum cor_status cor_inquiries_check_drawn(const struct cor_inquiries *inquiries,
                                          const struct cor_json *experiment, const char *place,
                                          struct cor_error *error) {
    struct cor_json arms, configurations;
    if (!cor_json_is_object(experiment))
        return COR_OK;
    /* Those of a layer that lists words of its own are read once the experiment is. */
    const bool has_arms = cor_json_find(experiment, "arms", &arms),
               is_any = inquiries->count == 0 && cor_json_find(experiment, "properties", &configurations) &&
                        cor_json_find(experiment, "configurations", &configurations);
    for (size_t a = 0; a < (has_arms ? cor_json_size(&arms) : 1); a++) {
        const struct cor_json arm = has_arms ? cor_json_at(&arms, a) : *experiment;
        const char *called = has_arms ? cor_json_called(&arm) : "program"; /* that of a file without arms */
        if (!called || !cor_json_is_object(&arm) ||
            !cor_configurations_find(experiment, &arm, &configurations))
            continue;
        bool is_asked = is_any;
        for (uint32_t c = 0; c < inquiries->count; c++)
            is_asked = is_asked || concerns(&inquiries->items[c], called);
        if (is_asked)
            return cor_fail(error, COR_STATUS_INPUT, place,
                            "ask an arm without \"configurations\", or one configuration: --given SUITE",
                            "configurations of arm %s are chosen, not drawn (\"configurations\"): its "
                            "suites are no sample, and decide nothing",
                            called);
    }
    return COR_OK;
}

/* Are cases of all sequences kept? */
static bool keeps_cases(const struct cor_property_source *source, const struct cor_json *experiment) {
    struct cor_json log;
    const char *word = "";
    bool leaves_out = false;
    if (!source->log)
        return true;
    const bool is_said = cor_json_find(experiment, source->log, &log);
    if (source->log_words)
        return is_said && cor_json_string(&log, &word, NULL) == COR_OK &&
               cor_is_among(source->log_words, word);
    return !is_said || (cor_json_bool(&log, &leaves_out, NULL) == COR_OK && !leaves_out);
}

static enum cor_status expect_law(const struct cor_result_header *head, const struct cor_catalog_entry *arm,
                                  const struct cor_json *experiment, cor_no_law *no_law, const char *place,
                                  const char *remedy, struct cor_error *error) {
    struct cor_json_document *described = NULL;
    char why[COR_NO_LAW_BYTES];
    COR_TRY(cor_json_parse(arm->description, "the description of an arm", &described, error));
    const struct cor_json root = cor_json_root(described);
    const enum cor_status status = cor_json_is_object(&root) && no_law(experiment, &root, arm->name, why)
                                       ? cor_fail(error, COR_STATUS_INPUT, place, remedy,
                                                  "%s of arm \"%.80s\" have no law to decide by: %s",
                                                  head->layer->asked->of, arm->name, why)
                                       : COR_OK;
    cor_json_destroy(described);
    return status;
}

enum cor_status cor_inquiries_can_ask(const struct cor_inquiries *inquiries, bool is_width,
                                      const struct cor_result_header *head, cor_no_law *no_law,
                                      const char *place, struct cor_error *error) {
    const struct cor_layer_schema *layer = head->layer;
    const struct cor_property_source *source = layer->asked;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    if (!source || !source->ending || (inquiries->count == 0 && !is_width))
        return COR_OK;
    COR_TRY(cor_json_parse(head->experiment, "the experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    if (inquiries->count > 0 && cor_json_is_object(&root) && !keeps_cases(source, &root)) {
        char remedy[100];
        snprintf(remedy, sizeof remedy, source->log_words ? "\"%s\": \"%s\"" : "\"%s\": false", source->log,
                 source->log_words ? source->log_words[0] : "");
        return cor_fail(error, COR_STATUS_INPUT, place, remedy,
                        "properties are asked of the cases of all %s, and those of %s that did not fail "
                        "were not kept",
                        source->of, source->of);
    }
    if (layer->suites_catalog > 0 && head->catalog_size[layer->suites_catalog] > 1)
        return cor_fail(error, COR_STATUS_INPUT, place,
                        "leave one in \"tests\", and one value of each of its \"examples\"",
                        "has %zu tests with their examples, and there is one probability of each",
                        head->catalog_size[layer->suites_catalog]);
    for (size_t a = 0; no_law && a < head->catalog_size[0]; a++) {
        const char *remedy = is_width ? "leave out the arm, or \"half_width\"" : NULL;
        for (uint32_t i = 0; i < inquiries->count; i++)
            if (cor_inquiry_asks(&inquiries->items[i], (uint32_t)a))
                remedy = source->ending->lawful;
        if (remedy)
            COR_TRY(expect_law(head, &head->catalog[0][a], &root, no_law, place, remedy, error));
    }
    return COR_OK;
}

void cor_inquiries_fini(struct cor_inquiries *inquiries) {
    for (uint32_t c = 0; c < inquiries->count; c++) {
        cor_property_destroy(inquiries->items[c].property);
        cor_ruling_fini(&inquiries->items[c].ruling);
        cor_steady_pilot_fini(&inquiries->items[c].pilot);
        COR_FREE(inquiries->items[c].arm, inquiries->items[c].curve, inquiries->items[c].minus);
    }
    free(inquiries->items);
    *inquiries = (struct cor_inquiries){0};
}

void cor_inquiries_give(struct cor_inquiries *inquiries, bool is_given) {
    for (uint32_t c = 0; c < inquiries->count; c++)
        inquiries->items[c].is_given = is_given;
}

/* Behind the warm-up. How long a sequence is was drawn: one that is too short says nothing, and is none. */
static enum cor_status take_mean(struct cor_inquiry *inquiry, const double *numbers, size_t count,
                                 struct cor_error *error) {
    struct cor_steady steady;
    if (!cor_steady_behind(numbers, count, inquiry->pilot.warm_up, &steady))
        return COR_OK;
    cor_ruling_take_trend(&inquiry->ruling, steady.trend, false);
    return cor_ruling_take(&inquiry->ruling, steady.mean, error);
}

enum cor_status cor_inquiry_take(struct cor_inquiry *inquiry, uint32_t arm, uint32_t suite,
                                 const struct cor_property_value *said, struct cor_error *error) {
    const double value = said->value;
    if (cor_property_kind(inquiry->property) == COR_PROPERTY_STEADY) {
        struct cor_steady_pilot *pilot = &inquiry->pilot;
        if (!said->numbers)
            return cor_ruling_take(&inquiry->ruling, NAN, error);
        if (inquiry->is_given) {
            /* Of one configuration the batches of a sequence are draws of their own. */
            struct cor_steady steady;
            if (!cor_steady_find(said->numbers, said->number_count, &steady) || !steady.is_long)
                return cor_ruling_take(&inquiry->ruling, NAN, error);
            cor_ruling_take_trend(&inquiry->ruling, steady.trend, steady.drifts);
            for (uint32_t b = 0; b < steady.batch_count; b++)
                COR_TRY(cor_ruling_take(&inquiry->ruling, steady.batch[b], error));
            return COR_OK;
        }
        if (pilot->is_known)
            return take_mean(inquiry, said->numbers, said->number_count, error);
        COR_TRY(cor_steady_pilot_take(pilot, said->numbers, said->number_count, error));
        if (pilot->is_known && !pilot->is_steady)
            cor_ruling_take_trend(&inquiry->ruling, pilot->trend, true);
        size_t begin = 0;
        for (uint32_t i = 0; pilot->is_known && i < pilot->count; begin = pilot->end[i++])
            COR_TRY(take_mean(inquiry, pilot->values + begin, pilot->end[i] - begin, error));
        return COR_OK;
    }
    if (inquiry->minus_index == COR_NOBODY)
        return cor_ruling_take(&inquiry->ruling, value, error);
    if (inquiry->other_suite != suite) {
        inquiry->other_suite = suite;
        inquiry->other = value;
        return COR_OK;
    }
    const double more = arm == inquiry->minus_index ? inquiry->other - value : value - inquiry->other;
    inquiry->other_suite = COR_NOBODY;
    return cor_ruling_take(&inquiry->ruling, more, error);
}

bool cor_inquiries_are_over(const struct cor_inquiries *inquiries, uint32_t arm) {
    bool is_asked = false;
    for (uint32_t c = 0; c < inquiries->count; c++) {
        const struct cor_inquiry *inquiry = &inquiries->items[c];
        if (!cor_inquiry_asks(inquiry, arm))
            continue;
        if (!inquiry->ruling.is_over)
            return false;
        is_asked = true;
    }
    return is_asked;
}

double cor_inquiries_decided(const struct cor_inquiries *inquiries) {
    uint32_t over = 0;
    for (uint32_t c = 0; c < inquiries->count; c++)
        over += inquiries->items[c].ruling.is_over;
    return inquiries->count > 0 ? (double)over / inquiries->count : 1;
}

/* ---- designs */

/* What is read, and who knows the inputs. */
struct reading {
    struct cor_explored explored; /* first */
    cor_find_input *find;
    const void *of;
};

enum cor_status cor_explored_input_read(const struct cor_json *json, cor_find_input *find, const void *of,
                                        struct cor_explored_input *input, struct cor_error *error) {
    *input = (struct cor_explored_input){.name = json->key, .low = -1e300, .high = 1e300};
    if (find)
        COR_TRY(find(of, json, input, error));
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
    COR_TRY(cor_json_real(&first, input->low, input->high, &input->low, error));
    COR_TRY(cor_json_real(&second, input->low, input->high, &input->high, error));
    if (input->is_integer && (floor(input->low) != input->low || floor(input->high) != input->high))
        return cor_json_fail(json, error, "write whole numbers", "\"%s\" is drawn from whole numbers",
                             json->key);
    if (!(input->low < input->high))
        return cor_json_fail(json, error, "widen it, or leave the parameter out", "is a range of one value");
    return COR_OK;
}

static enum cor_status read_inputs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    const size_t count = cor_json_size(json);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (count < 1 || count > COR_INPUT_DESIGN_INPUTS_MAX)
        return cor_json_fail(json, error, "name the parameters of which you want to know",
                             "has %zu inputs, expected 1 to %d", count, COR_INPUT_DESIGN_INPUTS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(
            cor_explored_input_read(&item, reading->find, reading->of, &reading->explored.inputs[i], error));
    }
    reading->explored.design.inputs = (uint32_t)count;
    return COR_OK;
}

static enum cor_status read_measures(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_explored *explored = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_MEASURES_MAX, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(cor_json_string(&item, &explored->measures[explored->measure_count++], error));
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"design", COR_REQUIRED,
     COR_ONE_OF_FIELD(struct cor_explored, design.kind, cor_input_design_words, 0, "design")},
    {"points", COR_REQUIRED,
     COR_INTEGER_FIELD(struct cor_explored, design.points, 1, COR_INPUT_DESIGN_ROWS_MAX)},
    {"inputs", COR_REQUIRED, COR_READ_FIELD(read_inputs)},
    {"measures", COR_OPTIONAL, COR_READ_FIELD(read_measures)},
    {0}};

enum cor_status cor_explored_read(const struct cor_json *json, cor_find_input *find, const void *of,
                                  struct cor_explored *explored, struct cor_error *error) {
    struct reading reading = {.find = find, .of = of};
    const enum cor_status status = cor_json_fields(json, fields, &reading, error);
    *explored = reading.explored;
    COR_TRY(status);
    const struct cor_input_design *design = &explored->design;
    if (design->points < cor_input_design_fewest[design->kind])
        return cor_json_fail(json, error, "give it more", "has %u points; %s has at least %u", design->points,
                             cor_input_design_words[design->kind], cor_input_design_fewest[design->kind]);
    if (cor_input_design_rows(design) > COR_INPUT_DESIGN_ROWS_MAX)
        return cor_json_fail(json, error, "give it fewer points or inputs",
                             "makes a design of %llu rows; at most %d are made",
                             (unsigned long long)cor_input_design_rows(design), COR_INPUT_DESIGN_ROWS_MAX);
    return COR_OK;
}

enum cor_status cor_explored_make(struct cor_explored *explored, const struct cor_json *json, uint64_t seed,
                                  uint32_t stream, uint32_t suites, struct cor_error *error) {
    const uint64_t rows = cor_input_design_rows(&explored->design);
    if (explored->rows)
        return COR_OK;
    if (suites == 0 || suites > rows)
        return cor_json_fail(json, error, "let \"suites\" be as many as rows",
                             "is a design of %llu rows, each a suite: %s", (unsigned long long)rows,
                             suites == 0 ? "the experiment has no end" : "there are more suites");
    const struct cor_stream_name name = {.seed = seed, .arm = stream, .purpose = COR_PURPOSE_COMBINE};
    struct cor_rng rng = cor_rng_named(&name);
    explored->rows = cor_calloc(rows * explored->design.inputs, sizeof *explored->rows);
    COR_TRY(cor_made(explored->rows, error));
    return cor_input_design_make(&explored->design, &rng, explored->rows, error);
}

void cor_explored_fini(struct cor_explored *explored) {
    if (!explored)
        return;
    free(explored->rows);
    *explored = (struct cor_explored){.rows = NULL};
}

uint32_t cor_explored_stream(const struct cor_explored *explored, uint32_t suite) {
    return explored && suite < cor_input_design_rows(&explored->design)
               ? cor_input_design_stream(&explored->design, suite)
               : suite;
}

double cor_explored_value(const struct cor_explored *explored, uint32_t input, uint32_t suite) {
    const struct cor_explored_input *its = &explored->inputs[input];
    const uint64_t row = suite % cor_input_design_rows(&explored->design);
    const double at = explored->rows[row * explored->design.inputs + input];
    double value = its->low + at * (its->high - its->low);
    if (its->is_integer)
        value = explored->design.kind == COR_INPUT_DESIGN_MORRIS
                    ? floor(value + 0.5)
                    : its->low + floor(at * (its->high - its->low + 1));
    return value < its->high ? value : its->high;
}

void cor_explored_set(const struct cor_explored *explored, uint32_t suite) {
    for (uint32_t i = 0; explored && i < explored->design.inputs; i++) {
        const struct cor_explored_input *its = &explored->inputs[i];
        const double value = cor_explored_value(explored, i, suite);
        if (its->real)
            *its->real = value;
        if (its->whole)
            *its->whole = (uint32_t)value;
    }
}
