/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/level.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status add_condition(const char *text, const struct cor_vocabulary *vocabulary,
                                     const char *place, struct cor_level *level, struct cor_error *error) {
    if (text[strspn(text, " ")] == '\0')
        return cor_fail(error, COR_STATUS_INPUT, place, "conditions with one semicolon between them",
                        "condition %u of the level is empty", level->condition_count + 1);
    return cor_case_condition_parse(text, vocabulary, place, &level->conditions[level->condition_count++],
                                    error);
}

static enum cor_status make_room(struct cor_level *level, size_t count, struct cor_error *error) {
    level->conditions = cor_calloc(count, sizeof *level->conditions);
    return cor_made(level->conditions, error);
}

enum cor_status cor_level_parse(const char *text, const struct cor_vocabulary *vocabulary, const char *place,
                                struct cor_level *level, struct cor_error *error) {
    enum cor_status status = COR_OK;
    size_t count = 1;
    *level = (struct cor_level){.condition_count = 0};
    if (!strchr(text, ';'))
        return cor_case_number_parse(text, vocabulary, place, &level->number, error);
    for (const char *at = text; (at = strchr(at, ';')); at++)
        count++;
    if (count > COR_LEVELS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, place, "leave some out",
                        "%zu conditions: a level has at most %d", count, COR_LEVELS_MAX);
    char *copy = cor_strdup(text), *item = copy;
    COR_TRY(cor_made(copy, error));
    COR_TRY_OUT(make_room(level, count, error));
    for (size_t i = 0; i < count; i++) {
        char *end = item + strcspn(item, ";");
        *end = '\0';
        COR_TRY_OUT(add_condition(item + strspn(item, " "), vocabulary, place, level, error));
        item = end + 1;
    }
out:
    free(copy);
    return status;
}

enum cor_status cor_level_read(const struct cor_json *json, const struct cor_vocabulary *vocabulary,
                               struct cor_level *level, struct cor_error *error) {
    const char *text;
    char place[512];
    *level = (struct cor_level){.condition_count = 0};
    cor_json_place(json, place, sizeof place);
    if (!cor_json_is_array(json)) {
        COR_TRY(cor_json_string(json, &text, error));
        return cor_level_parse(text, vocabulary, place, level, error);
    }
    COR_TRY(cor_json_expect_array(json, 1, COR_LEVELS_MAX, error));
    COR_TRY(make_room(level, cor_json_size(json), error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_string(&item, &text, error));
        cor_json_place(&item, place, sizeof place);
        COR_TRY(add_condition(text, vocabulary, place, level, error));
    }
    return COR_OK;
}

void cor_level_fini(struct cor_level *level) {
    for (uint32_t i = 0; i < level->condition_count; i++)
        cor_case_condition_fini(&level->conditions[i]);
    free(level->conditions);
    cor_expression_fini(&level->number);
    *level = (struct cor_level){.condition_count = 0};
}

double cor_level_of(const struct cor_level *level, const struct cor_facts *facts) {
    if (level->condition_count == 0)
        return cor_case_number(&level->number, facts);
    uint32_t at = level->condition_count;
    while (at > 0 && !cor_case_condition_holds(&level->conditions[at - 1], facts))
        at--;
    return at;
}
