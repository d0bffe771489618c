/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "judge_reason.h"

#include <corridor/array.h>
#include <corridor/prove.h>

#include <stdlib.h>

#define FACTS_SHOWN 12 /* in a sentence; JSON has all */

static void put_fact(struct cor_json_writer *w, const struct cor_fact *fact,
                     const struct cor_corridor *corridor, const struct cor_snapshot *state) {
    cor_json_open_object(w, NULL);
    if (fact->kind == COR_FACT_ATTRIBUTE) {
        cor_json_put_integer(w, "agent", fact->agent);
        cor_json_put_string(w, "attribute", corridor->attributes[fact->attribute].name);
    } else if (fact->kind == COR_FACT_ORGANIZATION_ATTRIBUTE) {
        cor_json_put_integer(w, "organization", fact->organization);
        cor_json_put_string(w, "attribute", corridor->organization_attributes[fact->attribute].name);
    } else if (fact->kind == COR_FACT_PARENT) {
        cor_json_put_integer(w, "organization", fact->organization);
        if (state->parents[fact->organization] == COR_NOBODY)
            cor_json_put_string(w, "parent", NULL);
        else
            cor_json_put_integer(w, "parent", state->parents[fact->organization]);
    } else {
        cor_json_put_integer(w, "agent", fact->agent);
        cor_json_put_integer(w, "organization", fact->organization);
        cor_json_put_bool(w, "member", fact->kind == COR_FACT_MEMBER);
    }
    cor_json_close(w);
}

static char *sentence_of(const struct cor_reason *reason, const struct cor_corridor *corridor,
                         const struct cor_snapshot *state) {
    if (reason->count == 0)
        return cor_strdup("No structure of so many agents and organizations holds it with these parameters.");
    char *made = cor_strdup("Whatever else changes, it is violated as long as ");
    for (size_t i = 0; i < reason->count && i < FACTS_SHOWN && made; i++) {
        char text[400];
        cor_fact_text(&reason->facts[i], corridor, state, text, sizeof text);
        made = cor_join_take(made, i == 0 ? "" : i + 1 == reason->count ? " and " : ", ", cor_strdup(text));
    }
    if (reason->count <= FACTS_SHOWN)
        return cor_join_take(made, "", cor_strdup("."));
    return cor_join_take(made, ", and ",
                         cor_format("%zu more: --json has all.", reason->count - FACTS_SHOWN));
}

enum cor_status judge_reason(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                             uint32_t constraint, struct cor_reason *reason, struct cor_json_writer *writer,
                             char **sentence, struct cor_error *error) {
    *sentence = NULL;
    COR_TRY(cor_corridor_reason(corridor, state, constraint, reason, error));
    COR_TRY(cor_reason_sharpen(corridor, state, constraint, reason, error));
    if (!reason->is_there) {
        if (writer)
            cor_json_put_string(writer, "reason", NULL);
        return COR_OK;
    }
    if (writer) {
        cor_json_open_array(writer, "reason");
        for (size_t i = 0; i < reason->count; i++)
            put_fact(writer, &reason->facts[i], corridor, state);
        cor_json_close(writer);
        cor_json_put_bool(writer, "reason_is_minimal", reason->is_minimal);
    }
    *sentence = sentence_of(reason, corridor, state);
    return cor_made(*sentence, error);
}
