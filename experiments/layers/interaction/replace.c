/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An experiment as it is in its file, but with another algorithm: what the result file keeps is what was run.
 */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/origins.h>

#include <stdlib.h>
#include <string.h>

struct replacement {
    const char *arm; /* NULL: all */
    size_t arm_size;
    const char *algorithm;
};

/* "ARM=ALGORITHM", or "ALGORITHM" in all arms. The name of an arm has no slash. */
static struct replacement parse(const char *text) {
    size_t size = strcspn(text, "=/");
    if (text[size] == '=')
        return (struct replacement){text, size, text + size + 1};
    return (struct replacement){NULL, 0, text};
}

static bool is_meant(const struct replacement *replacement, const struct cor_json *arm) {
    struct cor_json json;
    struct cor_error said = COR_NO_ERROR;
    const char *name;
    if (!replacement->arm)
        return true;
    return cor_json_find(arm, "name", &json) && cor_json_string(&json, &name, &said) == COR_OK &&
           strlen(name) == replacement->arm_size &&
           memcmp(name, replacement->arm, replacement->arm_size) == 0;
}

static bool put_arm(struct cor_json_writer *writer, const struct cor_json *arm,
                    const struct replacement *replacement) {
    bool meant = cor_json_is_object(arm) && is_meant(replacement, arm);
    if (!meant) {
        cor_json_put_value(writer, NULL, arm);
        return false;
    }
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(arm); i++) {
        struct cor_json child = cor_json_at(arm, i);
        if (strcmp(child.key, "algorithm") != 0)
            cor_json_put_value(writer, child.key, &child);
    }
    cor_json_put_string(writer, "algorithm", replacement->algorithm);
    cor_json_close(writer);
    return true;
}

static enum cor_status rewrite(const struct cor_json *root, const struct replacement *replacement,
                               char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    struct cor_json arms;
    bool replaced = false;
    *text = NULL;
    COR_TRY(cor_json_need(root, "arms", &arms, error));
    COR_TRY(cor_json_expect_array(&arms, 1, SIZE_MAX, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(root); i++) {
        struct cor_json child = cor_json_at(root, i);
        if (strcmp(child.key, "arms") != 0) {
            cor_json_put_value(writer, child.key, &child);
            continue;
        }
        cor_json_open_array(writer, child.key);
        for (size_t a = 0; a < cor_json_size(&child); a++) {
            struct cor_json arm = cor_json_at(&child, a);
            replaced = put_arm(writer, &arm, replacement) || replaced;
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
    COR_TRY(cor_json_text_take(writer, 0, text, error));
    if (replaced)
        return COR_OK;
    const char **names = cor_calloc(cor_json_size(&arms) + 1, sizeof *names);
    size_t count = 0;
    COR_TRY(cor_made(names, error));
    for (size_t i = 0; i < cor_json_size(&arms); i++) {
        struct cor_json arm = cor_json_at(&arms, i), json;
        struct cor_error said = COR_NO_ERROR;
        if (cor_json_find(&arm, "name", &json) && cor_json_string(&json, &names[count], &said) == COR_OK)
            count++;
    }
    char known[1024], *wanted = cor_format("%.*s", (int)replacement->arm_size, replacement->arm);
    cor_known_names(wanted ? wanted : "", names, known, sizeof known);
    free(names);
    free(wanted);
    return cor_json_fail(&arms, error, known, "there is no arm \"%.*s\" to give another algorithm",
                         (int)replacement->arm_size, replacement->arm);
}

enum cor_status interaction__replace_algorithm(struct cor_json_document **document, const char *what,
                                               struct cor_error *error) {
    const struct replacement replacement = parse(what);
    struct cor_json root = cor_json_root(*document);
    struct cor_json_document *made = NULL;
    char *text = NULL;
    enum cor_status status = cor_json_expect_object(&root, NULL, error);
    if (status == COR_OK)
        status = rewrite(&root, &replacement, &text, error);
    if (status == COR_OK)
        status = cor_json_parse(text, cor_json_name(*document), &made, error);
    free(text);
    COR_TRY(status);
    if (cor_json_recorder(*document))
        status = cor_json_record(made, cor_json_recorder(*document), error);
    cor_json_destroy(*document);
    *document = made;
    return status;
}
