/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In which orders the messages of a tree arrive, for mail_orders.py to judge:
 *     mail_orders PARENTS pct DEPTH MESSAGES RUNS
 *     mail_orders PARENTS bounded BOUND MESSAGES RUNS
 *     mail_orders PARENTS counted BOUND FIRST RUNS
 * PARENTS: "-1,0,0,-1". A line of each run. */
#include "tests/trees.h"

#include <stdio.h>

static const struct cor_algorithm trees = TREES;
static struct test_task task; /* big */

static struct cor_mail_schedule schedule_of(char **words) {
    struct cor_mail_schedule mail = {.mode = COR_MAIL_BOUNDED, .index = -1};
    uint32_t number = (uint32_t)strtoul(words[3], NULL, 10);
    mail.messages = (uint32_t)strtoul(words[4], NULL, 10);
    mail.depth = mail.bound = number;
    if (strcmp(words[2], "pct") == 0)
        mail.mode = COR_MAIL_PCT;
    else if (strcmp(words[2], "counted") == 0)
        mail.index = strtoll(words[4], NULL, 10);
    return mail;
}

int main(int count, char **words) {
    if (count != 6)
        return 2;
    for (char *word = strtok(words[1], ","); word; word = strtok(NULL, ","))
        tree.parent[tree.size++] = atoi(word);
    struct cor_session_definition definition = cor_default_session(&trees);
    struct cor_session *session;
    struct cor_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    definition.mail = schedule_of(words);
    if (cor_session_create(&definition, &session, &error) != COR_OK)
        return 3;
    cor_outcome_init(&outcome);
    tree_task(&task, &trees, 3, 12);
    for (uint64_t i = 1; i <= strtoull(words[5], NULL, 10); i++) {
        task.name.identity = i;
        if (cor_session_reorganize(session, &task.task, &task.name, &outcome, &error) != COR_OK)
            return 3;
        for (uint32_t m = 0; m < tree.count; m++)
            printf("%u%c", tree.arrived[m], m + 1 < tree.count ? ' ' : '\n');
    }
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
    return 0;
}
