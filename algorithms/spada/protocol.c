/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two handlers: an agent's turn in a round, and one message for it. First all agents estimate the mean,
 * then only leaders have turns. */
#include "spada.h"

/* Push-sum (Kempe, Dobra, Gehrke 2003): keep half of the share, send half to an acquaintance. The sums over
 * all agents, mail included, stay what they were, so every share tends to the mean. Acquaintances take turns:
 * they were drawn at random when the graph was built, and a draw for each message would buy nothing more. */
static void gossip(const struct spada_turn *turn) {
    struct spada_agent *self = turn->self;
    self->gossip_left--;
    if (self->acquaintance_count == 0)
        return;
    struct spada_share half = spada_halve(self);
    uint32_t slot = self->gossip_left % self->acquaintance_count;
    spada_say(turn, self->acquaintances[slot], SPADA_MEAN, &half, sizeof half);
}

enum cor_progress spada__wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct spada_turn turn = {me, me->state, rules, host};
    struct spada_agent *self = turn.self;
    if (self->is_absent)
        return COR_DONE;
    if (self->gossip_left > 0) {
        gossip(&turn);
        return self->gossip_left > 0 || spada_leads(&turn) ? COR_CONTINUE : COR_DONE;
    }
    return spada_leads(&turn) ? spada__lead(&turn) : COR_DONE;
}

enum cor_progress spada__receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    struct spada_turn turn = {me, me->state, rules, host};
    if (message->kind == SPADA_MEAN) {
        spada_take_share(turn.self, message->payload);
        return COR_DONE;
    }
    if (message->kind <= SPADA_CANDIDATE)
        return spada__on_search(&turn, message);
    return spada__on_membership(&turn, message);
}
