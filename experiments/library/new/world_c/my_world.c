/* SPDX-License-Identifier: CC0-1.0
 *
 * my_world: a ticket machine that test agents use. A ticket costs 3, and there is a mistake on purpose: the
 * machine asks for 2. Make it yours from here: let it speak for the game, the device or the service that you
 * test. corridor_world.h, beside this file, is what it stands over. */
#include "corridor_world.h"

static int credit, sold;

static void reset(uint64_t seed) {
    (void)seed; /* of all chance, where there is any */
    credit = sold = 0;
}

static void act(const char *action, const char *asked) {
    if (strcmp(action, "insert") == 0)
        credit += strcmp(cor_word(asked, "coin"), "one") == 0 ? 1 : 2;
    else if (strcmp(action, "back") == 0)
        credit = 0;
    else if (strcmp(action, "buy") == 0 && credit >= 2) { /* the mistake: 3 is taken */
        credit -= 3;
        sold++;
    }
}

static void view(FILE *to) {
    cor_entity(to, "m", "machine");
    cor_integer(to, "credit", credit);
    cor_integer(to, "sold", sold);
}

int main(void) {
    const struct cor_world world = {.hello = "\"world\":\"my_world\",\"version\":\"1\",\"types\":{"
                                             "\"machine\":{\"credit\":\"int\",\"sold\":\"int\"}},"
                                             "\"actions\":{\"insert\":{\"coin\":[\"one\",\"two\"]},\"buy\":{}"
                                             ",\"back\":{}},\"entities\":{\"m\":\"machine\"}",
                                    .reset = reset,
                                    .act = act,
                                    .view = view};
    return cor_run_world(&world);
}
