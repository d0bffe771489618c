/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/alone.h>

#include <corridor/array.h>

#include <stdlib.h>

struct cor_alone {
    const struct cor_experiment *experiment; /* borrowed */
    bool log_solutions;
    struct cor_session **sessions; /* owned; [arm]; made when first needed */
    struct cor_suite *suite;       /* owned; NULL: none yet */
    struct cor_runner *runner;     /* owned; NULL: none yet */
};

enum cor_status cor_alone_create(const struct cor_interaction *interaction, struct cor_alone **alone,
                                 struct cor_error *error) {
    struct cor_alone *a = *alone = cor_calloc(1, sizeof *a);
    COR_TRY(cor_made(a, error));
    a->experiment = interaction->experiment;
    a->log_solutions = interaction->log_solutions;
    a->sessions = cor_calloc(a->experiment->arm_count, sizeof(struct cor_session *));
    const enum cor_status status = cor_made(a->sessions, error);
    if (status != COR_OK) {
        cor_alone_destroy(a);
        *alone = NULL;
    }
    return status;
}

void cor_alone_destroy(struct cor_alone *alone) {
    if (!alone)
        return;
    cor_runner_destroy(alone->runner);
    cor_suite_destroy(alone->suite);
    for (uint32_t a = 0; alone->sessions && a < alone->experiment->arm_count; a++)
        cor_session_destroy(alone->sessions[a]);
    free(alone->sessions);
    free(alone);
}

static enum cor_status no_such_sequence(const struct cor_alone_definition *definition,
                                        struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, "the file", "it is not as it was written",
                    "arm %u, suite %u: sequence %u is none that its experiment makes", definition->arm,
                    definition->suite, definition->sequence);
}

enum cor_status cor_alone_begin(struct cor_alone *alone, const struct cor_alone_definition *definition,
                                struct cor_record *record, struct cor_runner **runner,
                                struct cor_error *error) {
    cor_runner_destroy(alone->runner); /* of the suite that may go now */
    *runner = alone->runner = NULL;
    if (definition->arm >= alone->experiment->arm_count)
        return no_such_sequence(definition, error);
    struct cor_session **session = &alone->sessions[definition->arm];
    const uint32_t arm = definition->arm;
    const uint32_t index = definition->suite;
    if (!alone->suite || alone->suite->arm_index != arm || alone->suite->index != index) {
        cor_suite_destroy(alone->suite);
        alone->suite = NULL;
        COR_TRY(cor_suite_generate(alone->experiment, arm, index, &alone->suite, error));
    }
    const struct cor_branch *branch = definition->branch;
    if (!branch) {
        if (definition->sequence >= alone->suite->sequence_count)
            return no_such_sequence(definition, error);
    } else if (!(definition->sequence >= alone->suite->sequence_count &&
                 branch->parent < alone->suite->sequence_count &&
                 branch->prefix <= alone->suite->case_counts[branch->parent])) {
        return no_such_sequence(definition, error);
    }
    if (!*session)
        COR_TRY(cor_session_create(&alone->suite->arm->session, session, error));
    const struct cor_execution execution = {alone->suite, *session,
                                            alone->log_solutions || definition->log_solutions};
    COR_TRY(cor_runner_create(&execution, record, &alone->runner, error));
    const struct cor_walk_definition walk =
        cor_suite_walk_definition(alone->suite, definition->sequence, definition->branch);
    *runner = alone->runner;
    return cor_sequence_begin(alone->runner, &walk, error);
}

enum cor_status cor_alone_execute(struct cor_alone *alone, const struct cor_alone_definition *definition,
                                  struct cor_record *record, struct cor_error *error) {
    struct cor_runner *runner;
    COR_TRY(cor_alone_begin(alone, definition, record, &runner, error));
    while (!cor_sequence_is_over(runner))
        COR_TRY(cor_sequence_case(runner, error));
    return cor_sequence_end(runner, error);
}

const struct cor_suite *cor_alone_suite(const struct cor_alone *alone) {
    return alone->suite;
}
