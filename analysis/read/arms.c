/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/failing.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

size_t cor_arm_of_name(const struct cor_result_header *head, const char *name, size_t length) {
    size_t a = 0;
    for (; a < cor_arm_count(head); a++) {
        const char *own = cor_arm_entry(head, a)->name;
        if (strlen(own) == length && strncmp(own, name, length) == 0)
            break;
    }
    return a;
}

enum cor_status cor_arm_names(const struct cor_result_header *head, const char *name,
                              char known[COR_KNOWN_ARMS], struct cor_error *error) {
    const char **names = cor_calloc(cor_arm_count(head) + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (size_t a = 0; a < cor_arm_count(head); a++)
        names[a] = cor_arm_entry(head, a)->name;
    cor_known_names(name, names, known, COR_KNOWN_ARMS);
    free(names);
    return COR_OK;
}

enum cor_status cor_arm_find(const struct cor_result_header *head, const char *place, const char *name,
                             size_t *arm, struct cor_error *error) {
    *arm = name ? cor_arm_of_name(head, name, strlen(name)) : 0;
    if (name ? *arm < cor_arm_count(head) : cor_arm_count(head) == 1)
        return COR_OK;
    char known[COR_KNOWN_ARMS];
    COR_TRY(cor_arm_names(head, name ? name : "", known, error));
    if (!name)
        return cor_fail(error, COR_STATUS_INPUT, place, known, "the file has %zu arms: name one",
                        cor_arm_count(head));
    return cor_fail(error, COR_STATUS_INPUT, place, known, "there is no arm \"%s\"", name);
}

/* May the text have the key? Only a key that is written with escapes would not be found as it is. */
static bool may_have(const char *json, const char *key) {
    const size_t length = strlen(key);
    if (strchr(json, '\\'))
        return true;
    for (const char *at = strstr(json, key); at; at = strstr(at + 1, key))
        if (at > json && at[-1] == '"' && at[length] == '"')
            return true;
    return false;
}

enum cor_status cor_text_within(const char *json, const char *outer, const char *key, char **text,
                                struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json value;
    const char *found;
    *text = NULL;
    if (!may_have(json, key))
        return COR_OK;
    const char *const keys[] = {outer ? outer : key, NULL};
    enum cor_status status = cor_json_parse_members(json, "text", keys, &document, NULL);
    if (status != COR_OK)
        return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK;
    struct cor_json within = cor_json_root(document);
    if ((!outer || cor_json_find(&within, outer, &within)) && cor_json_find(&within, key, &value) &&
        cor_json_is_string(&value) && cor_json_string(&value, &found, NULL) == COR_OK) {
        *text = cor_strdup(found);
        status = cor_made(*text, error);
    }
    cor_json_destroy(document);
    return status;
}

enum cor_status cor_text_under(const char *json, const char *key, char **text, struct cor_error *error) {
    return cor_text_within(json, NULL, key, text, error);
}

enum cor_status cor_says(const char *json, const char *key, const char *word, bool *same,
                         struct cor_error *error) {
    char *text;
    *same = false;
    COR_TRY(cor_text_under(json, key, &text, error));
    *same = text && strcmp(text, word) == 0;
    free(text);
    return COR_OK;
}

enum cor_status cor_ranges(const char *json, const char *key, int64_t least, int64_t most, bool *same,
                           struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json value;
    *same = true;
    if (!may_have(json, key))
        return COR_OK;
    const char *const keys[] = {key, NULL};
    const enum cor_status status = cor_json_parse_members(json, "text", keys, &document, NULL);
    if (status != COR_OK)
        return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : COR_OK;
    const struct cor_json root = cor_json_root(document);
    if (cor_json_find(&root, key, &value)) {
        const bool is_pair = cor_json_is_array(&value) && cor_json_size(&value) == 2;
        const int64_t wanted[2] = {least, most};
        for (size_t i = 0; i < 2; i++) {
            const struct cor_json end = is_pair ? cor_json_at(&value, i) : value;
            int64_t number;
            *same = *same && cor_json_is_integer(&end) &&
                    cor_json_integer(&end, INT64_MIN, INT64_MAX, &number, NULL) == COR_OK &&
                    number == wanted[i];
        }
    }
    cor_json_destroy(document);
    return COR_OK;
}

enum cor_status cor_arm_has_fault(const struct cor_catalog_entry *entry, bool *has, struct cor_error *error) {
    static const char *const faults[] = {"fault", "monitor", "adoption", "result", "agents"};
    static const int mails[] = {COR_MAIL_LOSSY, COR_MAIL_DUPLICATED};
    *has = false;
    for (size_t i = 0; i < sizeof faults / sizeof *faults && !*has; i++) {
        char *text;
        COR_TRY(cor_text_under(entry->description, faults[i], &text, error));
        *has = text && strcmp(text, "none") != 0;
        free(text);
    }
    for (size_t i = 0; i < sizeof mails / sizeof *mails && !*has; i++)
        COR_TRY(cor_says(entry->description, "mail", cor_term_word(COR_FAMILY_MAIL, mails[i]), has, error));
    return COR_OK;
}

enum cor_status cor_is_paired(const char *experiment, bool *paired, struct cor_error *error) {
    return cor_says(experiment, "mode", "paired", paired, error);
}

enum cor_structure_kind cor_arm_kind(const struct cor_catalog_entry *arm) {
    char *text = NULL;
    int kind = COR_STRUCTURE_PARTITIONING;
    if (!strstr(arm->description, "\"kind\"") ||
        cor_text_under(arm->description, "kind", &text, NULL) != COR_OK)
        return COR_STRUCTURE_PARTITIONING;
    for (int k = 0; text && k < COR_STRUCTURE_KINDS; k++)
        kind = strcmp(text, cor_structure_words[k]) == 0 ? k : kind;
    free(text);
    return (enum cor_structure_kind)kind;
}

/* ---- failing */

#define NUMBERS_MAX 3 /* suite, sequence, case */

/* The digits between a stroke and `end` as a number; false if there is anything else, or too many. */
static bool read_number(const char *stroke, const char *end, uint32_t *number) {
    uint64_t value = 0;
    const char *digit = stroke + 1;
    if (digit == end)
        return false;
    for (; digit < end && value < UINT32_MAX; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        value = 10 * value + (uint64_t)(*digit - '0');
    }
    *number = (uint32_t)value;
    return digit == end && value < UINT32_MAX;
}

static const char *stroke_before(const char *text, const char *end) {
    while (end > text)
        if (*--end == '/')
            return end;
    return NULL;
}

enum cor_status cor_failure_key_parse(const struct cor_result_header *head, const char *place,
                                      const char *text, struct cor_failure_key *key,
                                      struct cor_error *error) {
    uint32_t number[NUMBERS_MAX];
    const char *stroke[NUMBERS_MAX];
    /* The numbers at the end of `text`, the last one first, and where each one's stroke stands. */
    const char *end = text + strlen(text);
    size_t count = 0;
    while (count < NUMBERS_MAX) {
        stroke[count] = stroke_before(text, end);
        if (!stroke[count] || !read_number(stroke[count], end, &number[count]))
            break;
        end = stroke[count++];
    }
    *key = (struct cor_failure_key){.sequence = COR_WHOLE_SUITE};
    if (count == 0)
        return cor_fail(error, COR_STATUS_INPUT, place,
                        "corridor failures lists them; ARM/0 is suite 0 of an arm, ARM/0/3/17 case 17 of "
                        "sequence 3 of it",
                        "\"%s\" is no ARM/SUITE/SEQUENCE/CASE", text);
    for (size_t numbers = count; numbers > 0; numbers--) {
        key->arm = cor_arm_of_name(head, text, (size_t)(stroke[numbers - 1] - text));
        if (key->arm == cor_arm_count(head))
            continue;
        key->suite = number[numbers - 1];
        if (numbers > 1)
            key->sequence = number[numbers - 2];
        if (numbers > 2)
            key->case_ = number[numbers - 3];
        if (numbers > 2 && key->case_ == 0)
            return cor_fail(error, COR_STATUS_INPUT, place, "corridor failures lists what failed",
                            "\"%s\" names case 0, and cases count from 1", text);
        return COR_OK;
    }
    /* No reading leaves an arm: says so of the one that names the whole key. */
    size_t arm;
    char *name = cor_format("%.*s", (int)(stroke[count - 1] - text), text);
    COR_TRY(cor_made(name, error));
    const enum cor_status status = cor_arm_find(head, place, name, &arm, error);
    COR_ASSERT(status != COR_OK);
    free(name);
    return status;
}

char *cor_failure_key_text(const struct cor_result_header *head, const struct cor_failure_key *key) {
    const char *arm = cor_arm_entry(head, key->arm)->name;
    if (key->sequence == COR_WHOLE_SUITE)
        return cor_format("%s/%" PRIu32, arm, key->suite);
    if (key->case_ == 0)
        return cor_format("%s/%" PRIu32 "/%" PRIu32, arm, key->suite, key->sequence);
    return cor_format("%s/%" PRIu32 "/%" PRIu32 "/%" PRIu32, arm, key->suite, key->sequence, key->case_);
}

static struct cor_failure_rows failure_rows(const struct cor_sequence_rows *sequence) {
    return (struct cor_failure_rows){.violations = sequence->violations,
                                     .reorganizations = sequence->reorganizations,
                                     .violation_count = sequence->violation_count,
                                     .reorganization_count = sequence->reorganization_count};
}

/* What is said of the sequence as a whole. */
static struct cor_failing describe(const struct cor_suite_rows *suite, uint32_t number) {
    const struct cor_sequence_rows *sequence = &suite->sequence[number];
    struct cor_failing it = {
        .key = {.arm = suite->arm, .suite = suite->row.suite, .sequence = number},
        .class = {.smoke = COR_SMOKE_NONE},
        .executed = sequence->row ? sequence->row->executed : 0,
        .agents = suite->row.agents,
        .continues = sequence->branch != NULL,
    };
    if (sequence->branch) {
        it.parent = sequence->branch->parent;
        it.prefix = sequence->branch->prefix;
    }
    return it;
}

static enum cor_status open_reader(struct cor_result *result, struct cor_suite_reader **reader,
                                   struct cor_error *error) {
    static const char *const violations[] = {"sequence", "case", "box", "check", "expected", NULL},
                             *const runs[] = {"sequence",        "case", "gray", "black", "smoke",
                                              "fault_activated", NULL};
    static const struct cor_reading readings[] = {{COR_TABLE_VIOLATIONS, violations},
                                                  {COR_TABLE_REORGANIZATIONS, runs}};
    return cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, reader, error);
}

enum cor_status cor_failing_read(struct cor_result *result, size_t arm, bool masked,
                                 struct cor_failing_list *list, struct cor_error *error) {
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    *list = (struct cor_failing_list){0};
    COR_TRY(open_reader(result, &reader, error));
    if (arm != COR_ANY_ARM)
        COR_TRY(cor_suite_reader_choose(reader, cor_arm_entry(cor_result_head(result), arm)->code,
                                        COR_ANY_SUITE, NULL, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        for (uint32_t s = 0; s < suite->row.sequences; s++) {
            /* The first failing case of a sequence, and the masked ones if they are wanted. */
            struct cor_failure_rows rows = failure_rows(&suite->sequence[s]);
            struct cor_failing item = describe(suite, s);
            bool has_failed = false;
            list->sequences++;
            const struct cor_reorganization_row *run = rows.reorganizations;
            const struct cor_violation_row *violation = rows.violations;
            while ((item.key.case_ = cor_failure_rows_next(&rows, &item.class)) > 0) {
                const bool fails = cor_failure_class_fails(&item.class), first = fails && !has_failed;
                for (item.masked = false; run < rows.reorganizations; run++)
                    item.masked = item.masked || cor_is_masked(run);
                item.constraint = COR_NOBODY;
                for (; violation < rows.violations; violation++)
                    if (item.constraint == COR_NOBODY)
                        item.constraint = cor_violated_constraint(violation);
                has_failed = has_failed || fails;
                list->failing += first;
                list->masked += item.masked;
                if (!first && !(masked && item.masked))
                    continue;
                COR_TRY(COR_RESERVE(&list->items, &list->capacity, list->count + 1, error));
                list->items[list->count++] = item;
            }
        }
    }
    return COR_OK;
}

#define LISTED "corridor failures lists what failed, corridor export --table sequences all there is"

/* The sequence, and the case if one is named, of the key's suite. */
static enum cor_status find_in(const struct cor_suite_rows *suite, const char *place,
                               const struct cor_failure_key *key, const char *arm, struct cor_failing *found,
                               struct cor_error *error) {
    if (key->sequence >= suite->row.sequences || !suite->sequence[key->sequence].row)
        return cor_fail(error, COR_STATUS_INPUT, place, LISTED,
                        "there is no sequence %" PRIu32 " in suite %" PRIu32 " of \"%s\"", key->sequence,
                        key->suite, arm);
    *found = describe(suite, key->sequence);
    if (key->case_ > found->executed)
        return cor_fail(error, COR_STATUS_INPUT, place, LISTED,
                        "sequence %" PRIu32 " in suite %" PRIu32 " of \"%s\" was executed to case %" PRIu32
                        ", there is no case %" PRIu32,
                        key->sequence, key->suite, arm, found->executed, key->case_);
    struct cor_failure_rows rows = failure_rows(&suite->sequence[key->sequence]);
    struct cor_failure_class class;
    if (key->case_ == 0)
        found->key.case_ = cor_first_failure(rows, &found->class);
    for (uint32_t at = 1; key->case_ > 0 && at > 0 && at <= key->case_;)
        if ((at = cor_failure_rows_next(&rows, &class)) == key->case_)
            found->class = class;
    found->key.case_ = key->case_ > 0 ? key->case_ : found->key.case_;
    return COR_OK;
}

enum cor_status cor_failing_find(struct cor_result *result, const char *place,
                                 const struct cor_failure_key *key, struct cor_failing *found,
                                 struct cor_error *error) {
    const struct cor_catalog_entry *arm = cor_arm_entry(cor_result_head(result), key->arm);
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(open_reader(result, &reader, error));
    COR_TRY(cor_suite_reader_choose(reader, arm->code, key->suite, place, error));
    COR_TRY(cor_suite_reader_next(reader, &suite, error));
    return find_in(suite, place, key, arm->name, found, error);
}

/* How far a failure is from a key: by suite, then by sequence. */
static uint64_t distance_of(const struct cor_failure_key *one, const struct cor_failure_key *other) {
    const int64_t suites = (int64_t)one->suite - other->suite,
                  sequences = (int64_t)one->sequence - other->sequence;
    return (uint64_t)llabs(suites) << 32 | (uint64_t)llabs(sequences);
}

enum cor_status cor_failing_nearest(struct cor_result *result, const struct cor_failure_key *key, char **text,
                                    struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    COR_FINISHED(cor_failing) struct cor_failing_list list = {0};
    const struct cor_failing *near = NULL;
    COR_FREED char *nearest = NULL;
    COR_TRY(cor_failing_read(result, key->arm, false, &list, error));
    for (size_t i = 0; i < list.count; i++)
        if (!near || distance_of(&list.items[i].key, key) < distance_of(&near->key, key))
            near = &list.items[i];
    if (near)
        COR_TRY(cor_made(nearest = cor_failure_key_text(head, &near->key), error));
    *text = near ? cor_format("the nearest failure is %s; corridor failures lists all", nearest)
                 : cor_format("nothing of the arm \"%s\" failed; corridor failures lists what did",
                              cor_arm_entry(head, key->arm)->name);
    return cor_made(*text, error);
}

void cor_failing_fini(struct cor_failing_list *list) {
    free(list->items);
    *list = (struct cor_failing_list){0};
}
