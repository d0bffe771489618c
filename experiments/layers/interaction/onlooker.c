/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A runner of its own makes the onlooker: it shares the state of the one that executes, and executes nothing.
 */
#include <corridor/onlooker.h>

#include "text_suite.h"

#include <corridor/array.h>

#include <stdlib.h>

struct cor_onlooker {
    struct interaction__text *text; /* owned */
    struct cor_runner view;         /* its lists, record and what it has of the text are owned */
    struct cor_onlooker_seen seen;
};

enum cor_status cor_onlooker_create(const char *path, const struct cor_experiment *experiment,
                                    struct cor_onlooker **onlooker, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_onlooker *made = *onlooker = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    COR_TRY_OUT(interaction__text_read_path(path, &made->text, error));
    COR_TRY_OUT(interaction__text_check_experiment(made->text, experiment, false, error));
    COR_TRY_OUT(cor_record_create(&cor_interaction_schema, &made->view.record, error));
    made->seen.record = made->view.record;
out:
    if (status != COR_OK) {
        cor_onlooker_destroy(made);
        *onlooker = NULL;
    }
    return status;
}

void cor_onlooker_destroy(struct cor_onlooker *onlooker) {
    if (!onlooker)
        return;
    interaction__text_suite_destroy(onlooker->view.text);
    cor_lists_fini(&onlooker->view.structure);
    cor_record_destroy(onlooker->view.record);
    interaction__text_destroy(onlooker->text);
    free(onlooker);
}

uint32_t cor_onlooker_count(const struct cor_onlooker *onlooker) {
    return interaction__text_count(onlooker->text);
}

bool cor_onlooker_is_of_time(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_kind(onlooker->text, constraint) == COR_TEXT_TIME;
}

bool cor_onlooker_judges_initial(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_kind(onlooker->text, constraint) & COR_TEXT_INVARIANT;
}

const char *cor_onlooker_name(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_name(onlooker->text, constraint);
}

const char *cor_onlooker_says(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_sentence(onlooker->text, constraint);
}

const char *cor_onlooker_kind(const struct cor_onlooker *onlooker) {
    return cor_structure_words[interaction__text_structure(onlooker->text)];
}

enum cor_status cor_onlooker_begin(struct cor_onlooker *onlooker, const struct cor_runner *runner,
                                   struct cor_error *error) {
    struct cor_runner *view = &onlooker->view;
    interaction__text_suite_destroy(view->text);
    view->text = NULL;
    view->suite = runner->suite;
    view->configuration = runner->configuration;
    view->state = runner->state;
    view->limits = runner->limits;
    view->sequence = (struct cor_sequence){.index = runner->sequence.index};
    cor_record_begin(view->record, (uint16_t)runner->suite->arm_index, runner->suite->index);
    onlooker->seen = (struct cor_onlooker_seen){.record = view->record};
    COR_TRY(interaction__text_suite_create(view, onlooker->text, false, error));
    return interaction__text_begin(view, error);
}

enum cor_status cor_onlooker_case(struct cor_onlooker *onlooker, const struct cor_runner *runner,
                                  struct cor_error *error) {
    struct cor_runner *view = &onlooker->view;
    const struct cor_case this_case = {.number = runner->sequence.number, .alarm = runner->sequence.alarm};
    struct cor_judgement kind;
    bool failed;
    view->sequence.number = this_case.number;
    COR_TRY(cor_state_lists(view->state, &view->structure, error));
    COR_TRY(interaction__text_look_on(view, &this_case, &kind, error));
    onlooker->seen.states++;
    if (kind.violation_count > 0 && onlooker->seen.off_kind++ == 0) {
        onlooker->seen.kind_case = this_case.number;
        onlooker->seen.kind_first = kind.kept[0];
    }
    return interaction__text_end_case(view, &this_case, &failed, error);
}

enum cor_status cor_onlooker_end(struct cor_onlooker *onlooker, struct cor_error *error) {
    return interaction__text_end(&onlooker->view, error);
}

const struct cor_onlooker_seen *cor_onlooker_seen(const struct cor_onlooker *onlooker) {
    return &onlooker->seen;
}
