/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Parcel Desk of parcel_desk.json as a module: several intentions, each a row with the step that it is
 * at; whose turn it is the host says (corridor/aut.h). */
#include <corridor/aut.h>

enum { INTENTIONS = 4, IMPATIENT = 1, STALE = 2 };

/* What an intention does, and how far it has come. */
struct intention {
    int (*step)(const struct cor_aut_host *host, void *state, struct intention *it); /* 1: goes on, 0: over */
    int at, is_done;
    const char *by; /* of a strand: the plan that posts */
    int64_t kilos, second, read;
};

struct desk {
    int64_t weight, parcels, tidied;
    uint32_t fault;
    struct intention intentions[INTENTIONS];
};

static int64_t integer(const struct cor_aut_value *values, uint32_t count, const char *name) {
    const struct cor_aut_value *value = cor_aut_find(values, count, name);
    return value ? value->as.integer : 0;
}

static int write_field(const struct cor_aut_host *host, const char *plan, const char *belief,
                       const char *field, int64_t *where, int64_t integer_value) {
    const struct cor_aut_value value = cor_aut_integer(NULL, *where = integer_value);
    return host->wrote(host, plan, belief, field, &value);
}

static int begin(const struct cor_aut_host *host, const char *plan) {
    return host->context(host, plan, 1) && host->started(host, plan);
}

static int end(const struct cor_aut_host *host, const char *plan, struct intention *it) {
    it->is_done = 1;
    return host->ended(host, plan, 1);
}

/* Tidy. */
static int clear(const struct cor_aut_host *host, void *state, struct intention *it) {
    struct desk *desk = state;
    switch (it->at++) {
    case 0:
        return begin(host, "Clear");
    case 1:
        return host->step(host) && host->did(host, "Clear", "Sweep");
    default:
        return host->step(host) &&
               write_field(host, "Clear", "room", "Tidied", &desk->tidied, desk->tidied + 1) &&
               end(host, "Clear", it);
    }
}

/* Weigh; where `by` is said, with the post before it. */
static int put(const struct cor_aut_host *host, void *state, struct intention *it) {
    struct desk *desk = state;
    const struct cor_aut_value kilos = cor_aut_integer("Kilos", it->kilos);
    switch (it->at++) {
    case 0:
        return (!it->by || (host->step(host) && host->posted(host, it->by, "Weigh", &kilos, 1))) &&
               begin(host, "Put");
    case 1:
        it->read = desk->weight;
        if (desk->fault == STALE)
            return host->step(host);
        it->at++;
        /* fall through */
    case 2:
        return host->step(host) &&
               write_field(host, "Put", "desk", "Weight", &desk->weight, it->read + it->kilos);
    case 3:
        return host->step(host) &&
               write_field(host, "Put", "desk", "Parcels", &desk->parcels, desk->parcels + 1);
    default:
        return host->step(host) && host->did(host, "Put", "Stamp") && end(host, "Put", it);
    }
}

/* Another weighing: a strand of Accept, or a post that it does not wait for. */
static int weigh(const struct cor_aut_host *host, struct desk *desk, int64_t kilos) {
    const int waits = desk->fault != IMPATIENT;
    const struct cor_aut_value value = cor_aut_integer("Kilos", kilos);
    const uint32_t begun =
        waits ? host->strand(host, "Accept") : host->aside(host, "Accept", "Weigh", &value, 1);
    if (begun > 0)
        desk->intentions[begun] =
            (struct intention){.step = put, .by = waits ? "Accept" : NULL, .kilos = kilos};
    return begun > 0;
}

/* Pair. */
static int accept(const struct cor_aut_host *host, void *state, struct intention *it) {
    struct desk *desk = state;
    uint32_t begun;
    switch (it->at++) {
    case 0:
        return begin(host, "Accept");
    case 1:
        begun = host->step(host) ? host->aside(host, "Accept", "Tidy", NULL, 0) : 0;
        if (begun > 0)
            desk->intentions[begun] = (struct intention){.step = clear};
        return begun > 0;
    case 2: /* the next turn is that of a plan whose strands are done */
        return host->step(host) && weigh(host, desk, it->kilos) && weigh(host, desk, it->second);
    case 3:
        return host->step(host) && host->sent(host, "Accept", "Receipt");
    default:
        return host->step(host) && (desk->weight <= 60 || host->sent(host, "Accept", "Surcharge")) &&
               end(host, "Accept", it);
    }
}

static int run(void *state, const struct cor_aut_case *asked, const struct cor_aut_host *host) {
    struct desk *desk = state;
    struct intention *first = &desk->intentions[0];
    desk->weight = integer(asked->beliefs, asked->belief_count, "desk.Weight");
    desk->parcels = integer(asked->beliefs, asked->belief_count, "desk.Parcels");
    desk->tidied = integer(asked->beliefs, asked->belief_count, "room.Tidied");
    desk->fault = asked->fault;
    first->step = strcmp(asked->event, "Pair") == 0    ? accept
                  : strcmp(asked->event, "Weigh") == 0 ? put
                                                       : clear;
    first->kilos =
        integer(asked->arguments, asked->argument_count, first->step == accept ? "First" : "Kilos");
    first->second = integer(asked->arguments, asked->argument_count, "Second");
    for (uint32_t now = 0; now != COR_AUT_NOBODY; now = host->turn(host)) {
        struct intention *it = &desk->intentions[now];
        if (!it->step(host, desk, it) || (it->is_done && !host->done(host)))
            return 1; /* the case is over for the host */
    }
    return 0;
}

static const struct cor_aut_handle handles[] = {{"Accept", "Pair"}, {"Put", "Weigh"}, {"Clear", "Tidy"}, {0}};
static const struct cor_aut_fault faults[] = {{"impatient", "does not wait for the weighing", NULL},
                                              {"stale", "writes a weight that it read a step before", NULL},
                                              {0}};

COR_EXPORT extern const struct cor_aut corridor_aut_1;
const struct cor_aut corridor_aut_1 = {COR_AUT,
                                       .name = "Parcel Desk",
                                       .version = "1",
                                       .summary = "weighs two parcels at once",
                                       .handles = handles,
                                       .faults = faults,
                                       .state_size = sizeof(struct desk),
                                       .run = run};
