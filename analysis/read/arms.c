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

/* `name` NULL: one has to be named. */
static enum cor_status no_such_arm(const struct cor_result_header *head, const char *place, const char *name,
                                   struct cor_error *error) {
    char known[COR_KNOWN_ARMS];
    COR_TRY(cor_arm_names(head, name ? name : "", known, error));
    if (!name)
        return cor_fail(error, COR_STATUS_INPUT, place, known, "the file has %zu arms: name one",
                        cor_arm_count(head));
    return cor_fail(error, COR_STATUS_INPUT, place, known, "there is no arm \"%s\"", name);
}

enum cor_status cor_arm_find(const struct cor_result_header *head, const char *place, const char *name,
                             size_t *arm, struct cor_error *error) {
    *arm = name ? cor_arm_of_name(head, name, strlen(name)) : 0;
    bool found = name ? *arm < cor_arm_count(head) : cor_arm_count(head) == 1;
    return found ? COR_OK : no_such_arm(head, place, name, error);
}

char *cor_text_within(const char *json, const char *outer, const char *key) {
    struct cor_json_document *document = NULL;
    struct cor_json value;
    const char *text;
    char *copy = NULL;
    if (cor_json_parse(json, "text", &document, NULL) != COR_OK)
        return NULL;
    struct cor_json within = cor_json_root(document);
    if ((!outer || cor_json_find(&within, outer, &within)) && cor_json_find(&within, key, &value) &&
        cor_json_is_string(&value) && cor_json_string(&value, &text, NULL) == COR_OK)
        copy = cor_strdup(text);
    cor_json_destroy(document);
    return copy;
}

char *cor_text_under(const char *json, const char *key) {
    return cor_text_within(json, NULL, key);
}

static bool says(const char *json, const char *key, const char *word) {
    char *text = cor_text_under(json, key);
    bool same = text && strcmp(text, word) == 0;
    free(text);
    return same;
}

bool cor_arm_has_fault(const struct cor_catalog_entry *entry) {
    static const char *const faults[] = {"fault", "monitor", "adoption", "result", "agents"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char *text = cor_text_under(entry->description, faults[i]);
        bool named = text && strcmp(text, "none") != 0;
        free(text);
        if (named)
            return true;
    }
    return says(entry->description, "mail", cor_term_word(COR_FAMILY_MAIL, COR_MAIL_LOSSY)) ||
           says(entry->description, "mail", cor_term_word(COR_FAMILY_MAIL, COR_MAIL_DUPLICATED));
}

bool cor_is_paired(const char *experiment) {
    return says(experiment, "mode", "paired");
}
