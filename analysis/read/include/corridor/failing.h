/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failing sequences of a campaign, and the keys by which people name them: "ARM/SUITE/SEQUENCE/CASE". */
#ifndef CORRIDOR_FAILING_H
#define CORRIDOR_FAILING_H

#include <corridor/failure_class.h>
#include <corridor/suite_reader.h>

/* What a key names: a suite, a sequence of it, or a case of that. */
struct cor_failure_key {
    size_t arm; /* index in catalog/arm */
    uint32_t suite;
    uint32_t sequence; /* COR_WHOLE_SUITE: all of them */
    uint32_t case_;    /* 0: none in particular */
};
#define COR_WHOLE_SUITE UINT32_MAX

/* Reads "ARM/SUITE", "ARM/SUITE/SEQUENCE" or "ARM/SUITE/SEQUENCE/CASE"; the names of arms may have strokes,
 * and as many numbers are read as leave an arm's name. COR_STATUS_INPUT at `place` ("--failure") with what
 * would be right; whether the file has what is named is not looked at. */
enum cor_status cor_failure_key_parse(const struct cor_result_header *head, const char *place,
                                      const char *text, struct cor_failure_key *key,
                                      struct cor_error *error) COR_MUST_USE;

/* The key as text, freed with free(); NULL when memory is out. */
char *cor_failure_key_text(const struct cor_result_header *head, const struct cor_failure_key *key);

/* A sequence in which something was seen to be wrong, or a case in which a fault was active unseen. */
struct cor_failing {
    struct cor_failure_key key; /* its first failing case, or the masked one */
    struct cor_failure_class class;
    uint32_t
        constraint; /* code of the first of a corridor as a text that is violated in it; COR_NOBODY: none */
    bool masked;    /* in that case a fault was active, and neither gray nor black box saw it */
    uint32_t executed; /* cases of the sequence */
    uint32_t agents;
    bool continues; /* the sequence `parent` behind its first `prefix` cases */
    uint32_t parent, prefix;
};

/* What cor_failing_read, which overwrites it, found. */
struct cor_failing_list {
    struct cor_failing *items; /* owned; by arm, suite, sequence and case */
    size_t count, capacity;
    uint64_t sequences; /* looked at */
    uint64_t failing;   /* of these */
    uint64_t masked;    /* cases, listed or not */
};

#define COR_ANY_ARM SIZE_MAX

/* The failing sequences of an arm (an index), or of all, and, if `masked`, every case besides in which a
 * fault was active that neither gray nor black box saw (cor_is_masked). Freed with cor_failing_fini, also
 * after an error. */
enum cor_status cor_failing_read(struct cor_result *result, size_t arm, bool masked,
                                 struct cor_failing_list *list, struct cor_error *error) COR_MUST_USE;
/* What the file says of the sequence that the key names: the class of the key's case or, if it names none,
 * its first failing one, which is then in `found`; 0 if none fails. COR_STATUS_INPUT at `place` if the file
 * has no such suite, sequence or case. */
enum cor_status cor_failing_find(struct cor_result *result, const char *place,
                                 const struct cor_failure_key *key, struct cor_failing *found,
                                 struct cor_error *error) COR_MUST_USE;

/* Which failure of its arm is the nearest to a key that names none, in words for the caller to free. */
enum cor_status cor_failing_nearest(struct cor_result *result, const struct cor_failure_key *key, char **text,
                                    struct cor_error *error) COR_MUST_USE;

/* Frees what the list holds. Idempotent. */
void cor_failing_fini(struct cor_failing_list *list);

#endif
