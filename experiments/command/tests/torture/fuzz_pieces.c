/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How texts are mutated: half of the times as libFuzzer does, byte by byte, which a reader of JSON mostly
 * refuses where it begins; else piece by piece - a word, a number, a string, a member, what stands in
 * brackets - so that what comes still reads, and says something else. */
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PIECES_MOST = 4000, TEXT_MOST = 16000 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static const char *const values[] = {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "-1",
                                     "1",
                                     "0.5",
                                     "-0.0",
                                     "1e308",
                                     "1e-320",
                                     "255",
                                     "65536",
                                     "4294967295",
                                     "4294967296",
                                     "9007199254740993",
                                     "9223372036854775807",
                                     "-9223372036854775808",
                                     "18446744073709551615",
                                     "\"\"",
                                     "\"\\u0000\"",
                                     "\"\\u202e\\n\"",
                                     "\"a b\"",
                                     "[]",
                                     "{}",
                                     "[[]]",
                                     "[null]",
                                     "{\"\":null}",
                                     "\"0xffffffffffffffff\""};

static int is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '+' || c == '-' || (c & 0x80);
}

static size_t string_end(const char *text, size_t size, size_t at) {
    for (at++; at < size && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < size ? at + 1 : size;
}

/* Behind the piece that begins there; `members`: a string before a colon goes on to behind its value. */
static size_t piece_end(const char *text, size_t size, size_t begin, int members) {
    size_t at = begin;
    if (text[at] == '"') {
        at = string_end(text, size, at);
        while (members && at < size && text[at] == ' ')
            at++;
        if (!members || at >= size || text[at] != ':')
            return members && text[at - 1] == ' ' ? string_end(text, size, begin) : at;
        for (at++; at < size && isspace((unsigned char)text[at]); at++)
            ;
        return at < size ? piece_end(text, size, at, 0) : size;
    }
    if (text[at] == '{' || text[at] == '[' || text[at] == '(') {
        for (int depth = 0; at < size;) {
            const char c = text[at];
            depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
            at = c == '"' ? string_end(text, size, at) : at + 1;
            if (depth == 0)
                break;
        }
        return at;
    }
    while (at < size && is_of_word(text[at]))
        at++;
    return at > begin ? at : begin + 1;
}

static size_t find_pieces(const char *text, size_t size, size_t starts[PIECES_MOST]) {
    size_t count = 0;
    for (size_t at = 0; at < size && count < PIECES_MOST;) {
        const char c = text[at];
        if (isspace((unsigned char)c) || c == ',' || c == ':' || c == '}' || c == ']' || c == ')') {
            at++;
            continue;
        }
        starts[count++] = at;
        at = c == '{' || c == '[' || c == '(' ? at + 1 : piece_end(text, size, at, 0);
    }
    return count;
}

/* One piece is gone, another one, a value, or comes once more behind another. The new size. */
static size_t change_piece(char *text, size_t size, size_t max_size, uint64_t *dice) {
    static size_t starts[PIECES_MOST];
    static char made[2 * TEXT_MOST];
    const size_t count = find_pieces(text, size, starts);
    if (count == 0 || size > TEXT_MOST)
        return size;
#define DRAW(below) ((size_t)((*dice = *dice * 6364136223846793005u + 1442695040888963407u) >> 33) % (below))
    const int members = DRAW(2) == 0;
    size_t begin = starts[DRAW(count)], end = piece_end(text, size, begin, members);
    const size_t other = starts[DRAW(count)], other_end = piece_end(text, size, other, members);
    const char *put = text + other, *value = values[DRAW(sizeof values / sizeof *values)];
    size_t put_size = other_end - other;
    const char *between = "";
    switch (DRAW(4)) {
    case 0: /* gone, with a comma */
        put_size = 0;
        if (end < size && text[end] == ',')
            end++;
        else if (begin > 0 && text[begin - 1] == ',')
            begin--;
        break;
    case 1:
        put = value;
        put_size = strlen(value);
        end = piece_end(text, size, begin, 0);
        break;
    case 2: /* once more */
        begin = end;
        between = memchr(text, '{', size) || memchr(text, '[', size) ? "," : " ";
        break;
    default:
        break;
    }
    const size_t between_size = strlen(between), whole = begin + between_size + put_size + (size - end);
    if (whole > max_size || whole > sizeof made || whole == 0)
        return size;
    memcpy(made, text, begin);
    memcpy(made + begin, between, between_size);
    memcpy(made + begin + between_size, put, put_size);
    memcpy(made + begin + between_size + put_size, text + end, size - end);
    memcpy(text, made, whole);
    return whole;
#undef DRAW
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    uint64_t dice = seed;
    if (seed % 2 == 0 || size < 2)
        return LLVMFuzzerMutate(data, size, max_size);
    for (unsigned left = 1 + seed / 2 % 3; left > 0; left--)
        size = change_piece((char *)data, size, max_size, &dice);
    return size;
}
