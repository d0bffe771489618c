/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/arms.h>

#include <corridor/array.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

size_t cor_arm_of_code(const struct cor_result_header *head, uint16_t code) {
    size_t a = 0;
    while (a < cor_arm_count(head) && cor_arm_entry(head, a)->code != code)
        a++;
    return a;
}

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
