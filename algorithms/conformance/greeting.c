/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program in another language is. Algorithms and distributed programs are greeted by the same line,
 * and answer it otherwise: docs/look-up/corridor-protocol.7, docs/look-up/process-programs.md. */
#include "greeting.h"

#include <corridor/conversation.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>

#include <stdlib.h>
#include <string.h>

#define GREETING_SECONDS 10.0 /* to begin takes as long as it takes */
#define REMEDY                                                                                    \
    "an algorithm answers {\"id\":1,\"hello\":{..}} with {\"id\":1,\"protocol\":1,\"name\":..}: " \
    "corridor-protocol(7); a distributed program with {\"id\":1,\"process\":..}: "                \
    "docs/look-up/process-programs.md"

/* By a member of the answer that no other kind has. A system beside its model answers like an algorithm. */
static enum cor_status kind_of(const struct cor_json *answer, enum cor_conformance_kind *kind,
                               struct cor_error *said) {
    static const char *const others[][2] = {{"agent", "an agent under test"},
                                            {"world", "a world of test agents"},
                                            {"policy", "a policy of test agents"}};
    struct cor_json member;
    *kind = cor_json_find(answer, "process", &member) ? COR_CONFORMANCE_PROCESS
            : cor_json_find(answer, "protocol", &member) || cor_json_find(answer, "failed", &member)
                ? COR_CONFORMANCE_ALGORITHM
                : COR_CONFORMANCE_UNKNOWN;
    if (*kind != COR_CONFORMANCE_UNKNOWN)
        return COR_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cor_json_find(answer, others[i][0], &member))
            return cor_json_fail(answer, said, NULL, "this is %s", others[i][1]);
    return cor_json_fail(answer, said, NULL, "neither \"protocol\" nor \"process\" is in it");
}

enum cor_status conformance__greet(const char *text, enum cor_conformance_kind *kind,
                                   struct cor_error *error) {
    const struct cor_lines_definition lines = {.command = text,
                                               .is_path = !cor_conformance_is_command(text),
                                               .line_most = COR_LINE_MOST,
                                               .is_walled = true,
                                               .memory_bytes = cor_address_space(COR_GUEST_MEMORY)};
    struct cor_conversation talk;
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = cor_conversation_init(&talk, &lines, GREETING_SECONDS, error);
    *kind = COR_CONFORMANCE_UNKNOWN;
    if (status == COR_OK)
        status = cor_lines_check(&talk.lines, error);
    if (status == COR_OK)
        status = cor_conversation_start(&talk, error);
    if (status == COR_OK) {
        cor_bytes_print(cor_conversation_begin(&talk, "hello"), "{\"protocol\":1}");
        status = cor_conversation_ask(&talk, 0, error);
    }
    if (status == COR_OK && talk.exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk.answer);
        status = kind_of(&answer, kind, &said);
        if (status != COR_OK)
            status = cor_conversation_garble(&talk, status, &said, error);
    }
    if (status == COR_OK && talk.exchange != COR_EXCHANGE_WELL)
        status = cor_conversation_refuse(&talk, REMEDY, error);
    if (status == COR_OK)
        cor_conversation_part(&talk);
    cor_conversation_fini(&talk);
    return status;
}
