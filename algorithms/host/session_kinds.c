/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which kind of session a definition asks for. Stands alone: the cell program has but one kind, and links
 * none of the others. */
#include "external.h"

bool cor_session_is_open(const struct cor_session *session) {
    return session->kind != &host__isolated_kind && !session->definition.strict;
}

bool cor_session_shows_mail(const struct cor_session *session) {
    return session->algorithm->wake && (!session->definition.strict || session->kind == &host__isolated_kind);
}

static const struct host__session_kind *kind_of(const struct cor_session_definition *definition) {
    if (host__external_of(definition->algorithm))
        return &host__external_kind; /* it has a process of its own */
    switch (definition->place) {
    case COR_SESSION_IN_PROCESS:
        return &host__local_kind;
    case COR_SESSION_IN_CELL:
        return &host__isolated_kind;
    }
    COR_ASSERT(false && "a place of enum cor_session_place");
    return NULL;
}

enum cor_status cor_session_create(const struct cor_session_definition *definition,
                                   struct cor_session **session, struct cor_error *error) {
    *session = NULL;
    COR_TRY(host__session_check(definition, error));
    return host__session_make(kind_of(definition), definition, session, error);
}
