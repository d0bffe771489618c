/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/hash.h>

enum { LANES = 4 };

/* A part that is being folded in. */
struct lane {
    uint64_t hash;
    const unsigned char *at;
    size_t left;                /* bytes */
    struct cor_hash_part *part; /* NULL = it is idle */
};

/* Ends a part of which less than a word is left, and takes the next one that has a word. */
static void refill(struct lane *lane, struct cor_hash_part **next, const struct cor_hash_part *end) {
    while (lane->left < 8) {
        if (lane->part)
            lane->part->hash = cor_hash__rest(lane->hash, lane->at, lane->left);
        lane->part = *next < end ? (*next)++ : NULL;
        if (!lane->part)
            return;
        lane->hash = cor_hash_word(lane->part->hash, lane->part->size);
        lane->at = lane->part->bytes;
        lane->left = lane->part->size;
    }
}

static uint64_t word_at(const struct lane *lane, size_t index) {
    uint64_t word;
    memcpy(&word, lane->at + 8 * index, 8);
    return word;
}

/* So many words of each lane. */
static void fold_words(struct lane lanes[LANES], size_t count) {
    uint64_t a = lanes[0].hash, b = lanes[1].hash, c = lanes[2].hash, d = lanes[3].hash;
    for (size_t i = 0; i < count; i++) {
        a = cor_hash_word(a, word_at(&lanes[0], i));
        b = cor_hash_word(b, word_at(&lanes[1], i));
        c = cor_hash_word(c, word_at(&lanes[2], i));
        d = cor_hash_word(d, word_at(&lanes[3], i));
    }
    const uint64_t hashes[LANES] = {a, b, c, d};
    for (unsigned i = 0; i < LANES; i++) {
        lanes[i].hash = hashes[i];
        lanes[i].at += 8 * count;
        lanes[i].left -= 8 * count;
    }
}

void cor_hash_parts(struct cor_hash_part *parts, size_t count) {
    struct lane lanes[LANES] = {0};
    const struct cor_hash_part *end = parts + count;
    for (;;) {
        struct lane *first = NULL; /* of the busy ones that which ends first */
        unsigned busy = 0;
        for (unsigned i = 0; i < LANES; i++) {
            refill(&lanes[i], &parts, end);
            if (!lanes[i].part)
                continue;
            busy++;
            if (!first || lanes[i].left < first->left)
                first = &lanes[i];
        }
        if (busy == 1)
            first->part->hash = cor_hash__rest(first->hash, first->at, first->left);
        if (busy <= 1)
            return;
        /* One that is idle reads along, for nothing. */
        for (unsigned i = 0; i < LANES; i++)
            if (!lanes[i].part) {
                lanes[i].at = first->at;
                lanes[i].left = first->left;
            }
        fold_words(lanes, first->left / 8);
    }
}
