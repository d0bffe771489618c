/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a file says of itself as a whole: its texts, and its plan. */
#include "whole_file.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/json.h>

#include <inttypes.h>
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

enum cor_status read__announced_begin(struct cor_announced *announced, const struct cor_result_header *head,
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
    const uint64_t said = number_under(root, layer->suites), number = said > 0 ? said : layer->suites_default;
    uint64_t each = layer->suites_catalog > 0 ? head->catalog_size[layer->suites_catalog] : 1;
    struct cor_json list;
    if (layer->suites_list && cor_json_find(root, layer->suites_list, &list) && cor_json_is_array(&list))
        each = cor_json_size(&list);
    announced->suites = number * each;
    announced->asks = cor_json_find(root, "properties", &list);
    announced->sequences = sequences <= UINT32_MAX ? (uint32_t)sequences : 0;
}

enum cor_status cor_announced_init(struct cor_announced *announced, const struct cor_result_header *head,
                                   struct cor_error *error) {
    struct cor_json_document *document = NULL;
    COR_TRY(read__announced_begin(announced, head, error));
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

enum cor_status read__check_experiment(const struct cor_result_header *head, struct cor_announced *announced,
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
    bool found =
        cor_json_is_object(&root) && (is_true(&root, "foreign_agents") || is_true(&root, "foreign_programs"));
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

enum cor_status read__check_catalogs(const struct cor_result_header *head, struct cor_error *error) {
    for (uint32_t c = 0; c < head->layer->catalog_count; c++)
        COR_TRY(check_twins(head, c, false, error));
    return check_twins(head, COR_CATALOG_ARM, true, error);
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

enum cor_status read__check_plan(const struct cor_result_header *head, const struct cor_announced *announced,
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
