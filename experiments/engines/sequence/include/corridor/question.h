/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One question to an algorithm as a file (docs/do/failures.md): all that a reorganization depends on, without
 * the sequence that led to it. Any algorithm can be asked it, in this process, so that a debugger sees it
 * work. */
#ifndef CORRIDOR_QUESTION_H
#define CORRIDOR_QUESTION_H

#include <corridor/experiment.h>
#include <corridor/mail_record.h>
#include <corridor/run.h>

/* A question as it was read; made by cor_asked_read, freed by cor_asked_destroy. */
struct cor_asked {
    struct cor_json_document *document;   /* owned; texts below are its */
    const char *said, *algorithm, *fault; /* where it comes from, and who was asked */
    struct cor_json parameters;           /* by name */
    struct cor_limits limits;
    double threshold;
    enum cor_measure measure;
    uint64_t budget, interim_units;
    struct cor_mail_schedule mail;
    struct cor_crash_definition agents;
    struct cor_stream_name name;
    double **columns;                       /* owned, and each; the values, then the attributes; [agent] */
    struct cor_agent_attribute *attributes; /* owned; what they are declared to be */
    uint32_t agent_count, attribute_count;
    enum cor_structure_kind kind; /* of the structure */
    struct cor_lists structure;
    unsigned char *kept; /* owned; what the algorithm kept of the reorganization before */
    uint32_t kept_size;
    uint32_t *identity; /* owned; [agent]; NULL: their numbers */
    uint32_t identity_count;
    struct cor_mail_record *schedule; /* owned; NULL: as `mail` says */
    uint64_t answer;                  /* the fingerprint of what was answered then */
};

/* The text of the file, freed with free(). `schedule`: how mail went, NULL: as the arm says. */
enum cor_status cor_question_text(const struct cor_case_question *question,
                                  const struct cor_mail_record *schedule, const char *said, char **text,
                                  struct cor_error *error) COR_MUST_USE;

/* Reads such a file. COR_STATUS_INPUT names file and place. */
enum cor_status cor_asked_read(const char *path, struct cor_asked **asked,
                               struct cor_error *error) COR_MUST_USE;
void cor_asked_destroy(struct cor_asked *asked); /* NULL is allowed */
COR_DESTROYS(cor_asked, struct cor_asked)

/* Asks an algorithm of a registry that isolates none (COR_ISOLATION_NEVER), with its own fault of that
 * number. Parameters go by their names; those that only one of both has are said in *notes, a line each
 * (owned by the caller). */
enum cor_status cor_asked_ask(const struct cor_asked *asked, const struct cor_algorithm *algorithm,
                              uint32_t fault, struct cor_outcome *outcome, char **notes,
                              struct cor_error *error) COR_MUST_USE;

#endif
