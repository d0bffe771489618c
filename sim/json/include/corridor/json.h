/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON in and out. Reading: every complaint names the file and the JSON pointer of the value, says what is
 * wrong and what would be right; unknown keys are errors with a did-you-mean; numbers are range-checked,
 * never truncated. The only room that sees jansson. */
#ifndef CORRIDOR_JSON_H
#define CORRIDOR_JSON_H

#include <corridor/bytes.h>
#include <corridor/error.h>
#include <corridor/kinds.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COR_JSON_BYTES_MAX (64u << 20) /* a larger file is refused */

/* A parsed file. */
struct cor_json_document;

/* A value in a document, with the way to it: valid while the document lives and, for `parent`, while the
 * struct it was reached from does. Kept on the stack, copied freely downwards. */
struct cor_json {
    const struct cor_json_document *document;
    const struct cor_json *parent; /* NULL for the root */
    const char *key;               /* within an object, else NULL */
    size_t index;                  /* within an array */
    const void *value;
};

/* Reads and parses a file; "-" is standard input. Syntax errors name line and column; duplicate keys, NaN,
 * text after the value, more than 64 levels and files over COR_JSON_BYTES_MAX are refused. */
enum cor_status cor_json_read(const char *path, struct cor_json_document **document,
                              struct cor_error *error) COR_MUST_USE;

/* The same of a file that a program wrote and that may be larger: of up to `bytes_max`, a number of MiB. */
enum cor_status cor_json_read_large(const char *path, size_t bytes_max, struct cor_json_document **document,
                                    struct cor_error *error) COR_MUST_USE;

/* Reads a whole file, "-" is standard input, of at most COR_JSON_BYTES_MAX, as text that ends with a zero
 * byte behind `length` others; a byte order mark in front is left out. Freed with free() by the caller, also
 * after failing. */
enum cor_status cor_json_read_text(const char *path, char **text, size_t *length,
                                   struct cor_error *error) COR_MUST_USE;

/* What a path is called in messages: itself, or "standard input". */
const char *cor_json_path_name(const char *path);

/* Parses text; `name` stands for the file in messages. */
enum cor_status cor_json_parse(const char *text, const char *name, struct cor_json_document **document,
                               struct cor_error *error) COR_MUST_USE;

/* A member of an object as it stands in a text, of which these are parts. */
struct cor_json_member {
    const char *key; /* between its quotation marks, escapes as they are written */
    size_t key_length;
    const char *value, *end; /* behind the value */
};

/* The next member of an object whose text begins at `at`, which moves on behind it; false: there is none. The
 * text is JSON; what is none is stepped over somehow. */
bool cor_json_next_member(const char **at, struct cor_json_member *member);

/* Is its key among these, which end with NULL? NULL: there are none. */
bool cor_json_is_member(const struct cor_json_member *member, const char *const *keys);

/* Puts its value without blanks: of a text that the writer has written with 17 digits what cor_json_text says
 * of the value. */
void cor_json_squeeze(struct cor_bytes *bytes, const struct cor_json_member *member);

/* Parses only the members with these keys of a text that is JSON: it is not looked at whether the rest is.
 * For texts that have been looked at before, most of which is not asked for: to step over a value takes a
 * tenth of parsing it. */
enum cor_status cor_json_parse_members(const char *text, const char *name, const char *const *keys,
                                       struct cor_json_document **document,
                                       struct cor_error *error) COR_MUST_USE;

/* Frees the document and with it every struct cor_json into it. NULL is allowed. */
void cor_json_destroy(struct cor_json_document *document);
COR_DESTROYS(cor_json, struct cor_json_document)

/* The whole value. */
struct cor_json cor_json_root(const struct cor_json_document *document);

/* The document's file name. */
const char *cor_json_name(const struct cor_json_document *document);

/* A path that a document names, looked up beside its file, "~/" being the home folder; freed with free(),
 * NULL when memory is out. "-" is a file here, too: standard input is for the user to name, not for a file.
 */
char *cor_json_beside(const struct cor_json *json, const char *path);

/* Complains about a value: place is its file and pointer. Returns COR_STATUS_INPUT. `remedy` may be NULL. */
enum cor_status cor_json_fail(const struct cor_json *json, struct cor_error *error, const char *remedy,
                              const char *cause_format, ...) COR_PRINTF(4, 5);

/* "file: /pointer" of a value. */
void cor_json_place(const struct cor_json *json, char *text, size_t size);

/* Complains if the whole value is a file of another kind: "is an experiment, not a test model". What tells no
 * kind passes: its keys are looked at next. */
enum cor_status cor_json_expect_kind(const struct cor_json *root, enum cor_kind wanted,
                                     struct cor_error *error) COR_MUST_USE;

/* How a remedy begins that says where a file was named. */
#define COR_JSON_NAMED_IN "named in "

/* Makes "file:line:column: /pointer" of an error's place "file: /pointer", and of that of a remedy that
 * begins with COR_JSON_NAMED_IN, for the reader: that of the key in an object, of the item in an array,
 * counted from 1, the column in characters. The file is read again; if that cannot be done, the place stays.
 */
void cor_json_add_position(struct cor_error *error);

/* Kinds, for values that may be written in more than one way; an integer is a number, too. */
bool cor_json_is_object(const struct cor_json *json);
bool cor_json_is_array(const struct cor_json *json);
bool cor_json_is_string(const struct cor_json *json);
bool cor_json_is_integer(const struct cor_json *json);
bool cor_json_is_number(const struct cor_json *json);
bool cor_json_is_null(const struct cor_json *json);

/* Checks that the value is an object all of whose keys are among `keys` (NULL-terminated; NULL = any). */
enum cor_status cor_json_expect_object(const struct cor_json *json, const char *const *keys,
                                       struct cor_error *error) COR_MUST_USE;

/* Checks that the value is an array of at least `least` and at most `most` items. */
enum cor_status cor_json_expect_array(const struct cor_json *json, size_t least, size_t most,
                                      struct cor_error *error) COR_MUST_USE;

/* Members of an object in the order of the file, items of an array; 0 for anything else. */
size_t cor_json_size(const struct cor_json *json);

/* Member or item number `index`; its key is in child.key. Of an object it steps over those before it. */
struct cor_json cor_json_at(const struct cor_json *json, size_t index);

/* Goes through the members of an object or the items of an array, of anything else through none, in as many
 * steps: each is `child`, its number child.index. */
#define COR_JSON_CHILDREN(child, json) \
    for (struct cor_json child = cor_json_first(json); child.value; cor_json_step(&child))

/* The first of them, and from one to the next; value NULL: there is none. */
struct cor_json cor_json_first(const struct cor_json *json);
void cor_json_step(struct cor_json *child);

/* Reads a value into something. */
typedef enum cor_status cor_json_reader(const struct cor_json *json, void *into, struct cor_error *error);

/* Reads the items of an array, of which there are `least` to `most`, or the members of an object, one after
 * the other, with one function; the first that fails ends it. NULL: they are not looked
 * at. What a function keeps of `json` lives until the
 * next. */
enum cor_status cor_json_each(const struct cor_json *json, size_t least, size_t most, cor_json_reader *read,
                              void *into, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_json_each_member(const struct cor_json *json, cor_json_reader *read, void *into,
                                     struct cor_error *error) COR_MUST_USE;

/* The member called `key`: false when absent (or json is no object). */
bool cor_json_find(const struct cor_json *json, const char *key, struct cor_json *child);

/* The member called `key`, which must be there. */
enum cor_status cor_json_need(const struct cor_json *json, const char *key, struct cor_json *child,
                              struct cor_error *error) COR_MUST_USE;

/* The value as a number of that kind within low .. high (inclusive), or as true or false; else
 * COR_STATUS_INPUT, and *value stays. A real may be written as an integer. */
enum cor_status cor_json_integer(const struct cor_json *json, int64_t low, int64_t high, int64_t *value,
                                 struct cor_error *error) COR_MUST_USE;
enum cor_status cor_json_real(const struct cor_json *json, double low, double high, double *value,
                              struct cor_error *error) COR_MUST_USE;
enum cor_status cor_json_count(const struct cor_json *json, int64_t low, int64_t high, uint32_t *value,
                               struct cor_error *error) COR_MUST_USE; /* 0 <= low, high < 2^32 */
enum cor_status cor_json_bool(const struct cor_json *json, bool *value, struct cor_error *error) COR_MUST_USE;

/* [least, most]: reals within low .. high, of which the first is no greater. */
enum cor_status cor_json_range(const struct cor_json *json, double low, double high, double *least,
                               double *most, struct cor_error *error) COR_MUST_USE;

/* The value as text, which lives as long as the document. */
enum cor_status cor_json_string(const struct cor_json *json, const char **value,
                                struct cor_error *error) COR_MUST_USE;

/* Any string; it is not kept. A reader for lists. */
cor_json_reader cor_json_any_string;

/* Does an item of an array say a string that one before it says? */
bool cor_json_is_said_before(const struct cor_json *item);

/* What it is called: its key as a member, or the string that it has as "name"; NULL: it has no name. */
const char *cor_json_called(const struct cor_json *json);

/* The value as an unsigned 64-bit number written as a hexadecimal string "0x...", or as a non-negative
 * integer. */
enum cor_status cor_json_word(const struct cor_json *json, uint64_t *value,
                              struct cor_error *error) COR_MUST_USE;

/* The value as one of the words of a family of terms.h. */
enum cor_status cor_json_term(const struct cor_json *json, int family, int *number,
                              struct cor_error *error) COR_MUST_USE;

/* The value as JSON text, keys in the order of the file, without blanks; freed with free(). NULL when memory
 * is out. */
char *cor_json_text(const struct cor_json *json);

/* Puts a text, which is UTF-8, as a string of JSON, or a finite real with the 17 digits that give it back,
 * and a point or an exponent: for lines that are put together, and read again, many times a second. */
void cor_json_print_string(struct cor_bytes *bytes, const char *text);
void cor_json_print_real(struct cor_bytes *bytes, double real);

/* Builds one value and writes it as a whole, up to 63 levels deep. Errors (memory, text that is no UTF-8 or
 * no JSON) stick: check once, at the end. */
struct cor_json_writer;

/* A writer that has written nothing; destroying it frees it and what was written, NULL is allowed. */
enum cor_status cor_json_writer_create(struct cor_json_writer **writer, struct cor_error *error) COR_MUST_USE;
void cor_json_writer_destroy(struct cor_json_writer *writer);
COR_DESTROYS(cor_json_writer, struct cor_json_writer)

/* Within an object every value is preceded by its key; within an array (and at the top) key is NULL. */
void cor_json_open_object(struct cor_json_writer *writer, const char *key);
void cor_json_open_array(struct cor_json_writer *writer, const char *key);
void cor_json_close(struct cor_json_writer *writer); /* the innermost open object or array */
void cor_json_put_string(struct cor_json_writer *writer, const char *key,
                         const char *value); /* NULL gives null */
void cor_json_put_part(struct cor_json_writer *writer, const char *key, const char *value,
                       size_t length); /* the first `length` bytes */
void cor_json_put_integer(struct cor_json_writer *writer, const char *key, int64_t value);
void cor_json_put_real(struct cor_json_writer *writer, const char *key,
                       double value); /* NaN, infinities: null */
void cor_json_put_bool(struct cor_json_writer *writer, const char *key, bool value);
void cor_json_put_word(struct cor_json_writer *writer, const char *key, uint64_t value); /* as "0x%016x" */
void cor_json_put_text(struct cor_json_writer *writer, const char *key,
                       const char *json_text); /* JSON, parsed again */
void cor_json_put_value(struct cor_json_writer *writer, const char *key,
                        const struct cor_json *value); /* a copy of what was read */

/* The finished value as text, freed with free(), and the end of the writer; *text is NULL if anything failed.
 * indent > 0: for people, numbers as by cor_json_shorten. 0: one line, with 17 digits of each real; < 0:
 * these digits, indented by -indent. What is hashed, compared with a recording, or said to programs has all
 * 17, as it always had. */
enum cor_status cor_json_text_take(struct cor_json_writer *writer, int indent, char **text,
                                   struct cor_error *error) COR_MUST_USE;

/* The same JSON in place, its reals with the fewest of 15 to 17 digits that are read back as the same double:
 * 0.7 for 0.69999999999999996. Strings stay. `text` is JSON as this writer makes it. */
void cor_json_shorten(char *text);

#endif
