/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "evidence.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

size_t cor__shown_arm(const struct cor_tables *tables, uint16_t code) {
    size_t a = 0;
    while (a < tables->arm_count && tables->arm[a].code != code)
        a++;
    return a;
}

const char *cor__check_words(int check, char text[64]) {
    const struct cor_term *term = cor_term(COR_FAMILY_CHECK, check);
    snprintf(text, 64, "%s%s%s", term ? term->rule : "", term ? " " : "", term ? term->word : "?");
    return text;
}

/* -------------------------------------------------------------------------------- what an arm injects */

static const char *word_of(const struct cor_json *json, const char *key) {
    struct cor_json value;
    const char *word = "none";
    if (cor_json_find(json, key, &value) && cor_json_is_string(&value) &&
        cor_json_string(&value, &word, NULL) != COR_OK)
        return "none";
    return word;
}

static enum cor_status read_nature(struct cor__arm_nature *nature, const char *description,
                                   struct cor_error *error) {
    struct cor_json_document *document = NULL;
    if (cor_json_parse(description, "arm", &document, NULL) != COR_OK)
        return COR_OK; /* a description that is none says nothing */
    struct cor_json root = cor_json_root(document), value;
    nature->known = cor_json_find(&root, "fault", &value);
    const char *algorithm = word_of(&root, "algorithm"), *fault = word_of(&root, "fault"),
               *monitor = word_of(&root, "monitor"), *adoption = word_of(&root, "adoption"),
               *environment = word_of(&root, "environment"), *mail = word_of(&root, "mail");
    bool by_algorithm = strcmp(fault, "none") != 0, by_monitor = strcmp(monitor, "none") != 0,
         by_adoption = strcmp(adoption, "none") != 0;
    nature->injects = by_algorithm || by_monitor || by_adoption;
    bool plain_mail = strcmp(mail, "in_order") == 0 || strcmp(mail, "none") == 0;
    bool plain_walk = strcmp(environment, "profile") == 0 || strcmp(environment, "none") == 0;
    if (nature->known)
        nature->what = cor_format(
            "%s%s%s%s%s%s%s%s%s%s%s", algorithm, by_algorithm ? ", fault " : "", by_algorithm ? fault : "",
            by_monitor ? ", alarms " : "", by_monitor ? monitor : "", by_adoption ? ", moves " : "",
            by_adoption ? adoption : "", plain_mail ? "" : ", mail ", plain_mail ? "" : mail,
            plain_walk ? "" : ", environment ", plain_walk ? "" : environment);
    cor_json_destroy(document);
    return nature->known && !nature->what ? cor_fail_memory(error) : COR_OK;
}

/* ------------------------------------------------------------------------------------------------ all */

enum cor_status cor__evidence_init(struct cor__evidence *evidence, struct cor_result *result,
                                   const struct cor_tables *tables, struct cor_error *error) {
    *evidence = (struct cor__evidence){.arm_count = tables->arm_count};
    evidence->arm = cor_calloc(tables->arm_count, sizeof *evidence->arm);
    enum cor_status status = evidence->arm ? COR_OK : cor_fail_memory(error);
    for (size_t a = 0; a < tables->arm_count && status == COR_OK; a++)
        status = read_nature(&evidence->arm[a].nature, tables->arm[a].description, error);
    if (status == COR_OK)
        status = cor__choose_exhibits(evidence, result, tables, error);
    return status;
}

void cor__evidence_fini(struct cor__evidence *evidence) {
    for (size_t a = 0; a < evidence->arm_count && evidence->arm; a++)
        free(evidence->arm[a].nature.what);
    free(evidence->arm);
    free(evidence->exhibit);
    *evidence = (struct cor__evidence){0};
}
