/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "searched_program.h"

#include <corridor/array.h>
#include <corridor/json_names.h>
#include <corridor/process_experiment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_USUAL 40 /* of a schedule, where the file says nothing */
#define LIST_SIZE 512

static const char *schedule_generator_word(size_t index) {
#define COR_SCHEDULE_GENERATOR(word) #word,
    static const char *const words[] = {COR_SCHEDULE_GENERATORS(COR_SCHEDULE_GENERATOR) NULL};
#undef COR_SCHEDULE_GENERATOR
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

/* Cases of a schedule; what is wrong with them is said by who reads the experiment. */
static int64_t cases_of(const struct cor_json *json, int64_t otherwise) {
    struct cor_json member;
    int64_t cases;
    return cor_json_is_object(json) && cor_json_find(json, "cases", &member) &&
                   cor_json_is_integer(&member) &&
                   cor_json_integer(&member, 1, COR_PROCESS_CASES_MAX, &cases, NULL) == COR_OK
               ? cases
               : otherwise;
}

static bool is_of_search(const char *key) {
    static const char *const keys[] = {"suites",    "sequences",  "until", "arms",
                                       "generator", "generators", NULL};
    size_t k = 0;
    while (keys[k] && strcmp(keys[k], key) != 0)
        k++;
    return keys[k] != NULL;
}

static void put_members(struct cor_json_writer *writer, const struct cor_json *json) {
    COR_JSON_CHILDREN(item, json) {
        if (!is_of_search(item.key))
            cor_json_put_value(writer, item.key, &item);
    }
}

static enum cor_status put_arm(struct cor_json_writer *writer, const char *generator, const char *name,
                               const struct cor_json *arm, struct cor_error *error) {
    char *whole = cor_format("%s/%s", generator, name);
    COR_TRY(cor_made(whole, error));
    cor_json_open_object(writer, whole);
    if (arm && cor_json_is_object(arm))
        put_members(writer, arm);
    cor_json_put_string(writer, "generator", generator);
    cor_json_close(writer);
    free(whole);
    return COR_OK;
}

static enum cor_status check_arm(const struct cor_json *root, const struct cor_json *arms, const char *arm,
                                 struct cor_error *error) {
    const char *const program = "program";
    uint32_t index;
    return arm ? cor_json_find_name(root, arms ? cor_json_names(arms) : COR_WORD_NAMES(&program, 1), arm,
                                    &index, error, "the experiment has no arm \"%.80s\"", arm)
               : COR_OK;
}

static const char *generator_word(const void *none, size_t index) {
    (void)none;
    return schedule_generator_word(index);
}

static enum cor_status put_arms(struct cor_json_writer *writer, const struct cor_json *root,
                                const struct cor_json *arms, const struct cor_program_search *search,
                                struct cor_error *error) {
    char list[LIST_SIZE], before[LIST_SIZE] = "";
    snprintf(list, sizeof list, "%s", search->generators ? search->generators : "search");
    cor_json_open_object(writer, "arms");
    for (char *rest = NULL, *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        uint32_t index;
        COR_TRY(cor_json_find_name(root, COR_SAID_NAMES(generator_word, NULL, SIZE_MAX), word, &index, error,
                                   "no generator \"%.80s\" makes schedules of distributed programs", word));
        for (const char *at = before; *at; at += strcspn(at, ","), at += *at == ',')
            if (strncmp(at, word, strlen(word)) == 0 && strchr(",", at[strlen(word)]))
                return cor_json_fail(root, error, "name it once", "generator \"%s\" stands there twice",
                                     word);
        snprintf(before + strlen(before), sizeof before - strlen(before), "%s%s", before[0] ? "," : "", word);
        if (!arms)
            COR_TRY(put_arm(writer, word, "program", NULL, error));
        for (size_t a = 0; arms && a < cor_json_size(arms); a++) {
            const struct cor_json item = cor_json_at(arms, a);
            if (!search->arm || strcmp(search->arm, item.key) == 0)
                COR_TRY(put_arm(writer, word, item.key, &item, error));
        }
    }
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status search_text(const struct cor_json *root, const struct cor_program_search *search,
                                   char **text, struct cor_error *error) {
    struct cor_json found;
    const struct cor_json *arms =
        cor_json_find(root, "arms", &found) && cor_json_is_object(&found) ? &found : NULL;
    struct cor_json_writer *writer;
    COR_TRY(check_arm(root, arms, search->arm, error));
    /* Of the longest arm. */
    const int64_t usual = cases_of(root, CASES_USUAL);
    int64_t most = 0;
    for (size_t a = 0; arms && a < cor_json_size(arms); a++) {
        const struct cor_json item = cor_json_at(arms, a);
        const int64_t cases = cases_of(&item, usual);
        if ((!search->arm || strcmp(search->arm, item.key) == 0) && cases > most)
            most = cases;
    }
    const int64_t sequences = search->budget / (most > 0 ? most : usual);
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    put_members(writer, root);
    cor_json_put_integer(writer, "suites", search->islands);
    cor_json_put_integer(writer, "sequences",
                         sequences < 1                           ? 1
                         : sequences > COR_PROCESS_SEQUENCES_MAX ? COR_PROCESS_SEQUENCES_MAX
                                                                 : sequences);
    cor_json_put_string(writer, "until", "failure");
    const enum cor_status status = put_arms(writer, root, arms, search, error);
    if (status != COR_OK) {
        cor_json_writer_destroy(writer);
        return status;
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, text, error);
}

const struct cor_searched_programs cor_searched_schedules = {"process", "processes", search_text,
                                                             schedule_generator_word};
