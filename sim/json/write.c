/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/json.h>

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/letters.h>

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 64

void cor_json_print_string(struct cor_bytes *bytes, const char *text) {
    cor_bytes_put(bytes, "\"", 1);
    while (*text) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= ' ' && text[plain] != '"' && text[plain] != '\\')
            plain++;
        cor_bytes_put(bytes, text, plain);
        text += plain;
        if (*text == '"' || *text == '\\')
            cor_bytes_print(bytes, "\\%c", *text++);
        else if (*text)
            cor_bytes_print(bytes, "\\u%04x", (unsigned)(unsigned char)*text++);
    }
    cor_bytes_put(bytes, "\"", 1);
}

void cor_json_print_real(struct cor_bytes *bytes, double real) {
    char digits[32];
    COR_ASSERT(isfinite(real));
    snprintf(digits, sizeof digits, "%.17g", real);
    cor_bytes_print(bytes, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

struct cor_json_writer {
    json_t *open[DEPTH_MAX]; /* borrowed but for open[0], the root's holder */
    unsigned depth;
    enum cor_status status; /* the first failure; sticks, and nothing is put any more */
};

/* The root's holder is an array of one item, so that the top needs no case of its own. */
enum cor_status cor_json_writer_create(struct cor_json_writer **writer, struct cor_error *error) {
    *writer = cor_calloc(1, sizeof **writer);
    json_t *holder = *writer ? json_array() : NULL;
    if (!holder) {
        free(*writer);
        *writer = NULL;
        return cor_fail_memory(error);
    }
    (*writer)->open[0] = holder;
    (*writer)->depth = 1;
    return COR_OK;
}

void cor_json_writer_destroy(struct cor_json_writer *writer) {
    if (!writer)
        return;
    json_decref(writer->open[0]);
    free(writer);
}

/* Takes over `value`, NULL when memory is out; returns it, borrowed, or NULL after a failure. From then on
 * the nesting is not looked at, as a failed container is not there to be put into. */
static json_t *put_take(struct cor_json_writer *writer, const char *key, json_t *value) {
    if (writer->status != COR_OK) {
        json_decref(value);
        return NULL;
    }
    json_t *inner = writer->open[writer->depth - 1];
    COR_ASSERT(json_is_object(inner) == (key != NULL));
    int failed = key ? json_object_set_new(inner, key, value) : json_array_append_new(inner, value);
    if (failed)
        writer->status = COR_STATUS_MEMORY;
    return failed ? NULL : value;
}

static void open_container(struct cor_json_writer *writer, const char *key, json_t *container) {
    COR_ASSERT(writer->depth < DEPTH_MAX);
    json_t *placed = put_take(writer, key, container);
    writer->open[writer->depth] = placed ? placed : writer->open[writer->depth - 1];
    writer->depth++;
}

void cor_json_open_object(struct cor_json_writer *writer, const char *key) {
    open_container(writer, key, json_object());
}

void cor_json_open_array(struct cor_json_writer *writer, const char *key) {
    open_container(writer, key, json_array());
}

void cor_json_close(struct cor_json_writer *writer) {
    COR_ASSERT(writer->depth > 1);
    writer->depth--;
}

void cor_json_put_string(struct cor_json_writer *writer, const char *key, const char *value) {
    if (value)
        cor_json_put_part(writer, key, value, strlen(value));
    else
        put_take(writer, key, json_null());
}

void cor_json_put_part(struct cor_json_writer *writer, const char *key, const char *value, size_t length) {
    json_t *string = json_stringn(value, length);
    json_t *raw = string ? NULL : json_stringn_nocheck(value, length);
    if (raw && writer->status == COR_OK)
        writer->status = COR_STATUS_INPUT; /* no UTF-8 */
    json_decref(raw);
    put_take(writer, key, string);
}

void cor_json_put_integer(struct cor_json_writer *writer, const char *key, int64_t value) {
    put_take(writer, key, json_integer(value));
}

void cor_json_put_real(struct cor_json_writer *writer, const char *key, double value) {
    put_take(writer, key, isfinite(value) ? json_real(value) : json_null());
}

void cor_json_put_bool(struct cor_json_writer *writer, const char *key, bool value) {
    put_take(writer, key, json_boolean(value));
}

void cor_json_put_word(struct cor_json_writer *writer, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIx64, value);
    cor_json_put_string(writer, key, text);
}

void cor_json_put_text(struct cor_json_writer *writer, const char *key, const char *json_text) {
    json_error_t problem;
    json_t *value = json_loads(json_text, JSON_DECODE_ANY, &problem);
    bool memory = problem.text[0] == '\0' || json_error_code(&problem) == json_error_out_of_memory;
    if (!value && !memory && writer->status == COR_OK)
        writer->status = COR_STATUS_INPUT;
    put_take(writer, key, value);
}

void cor_json_put_value(struct cor_json_writer *writer, const char *key, const struct cor_json *value) {
    put_take(writer, key, json_deep_copy(value->value));
}

/* Bytes of a control character that jansson writes as it is, and a terminal or a reader obeys, and its code;
 * 0: it is none. Only bytes from 0x7f on begin one; it never cuts a character in two. */
static size_t control_bytes(const unsigned char *bytes, size_t size, uint32_t *code) {
    const size_t length = bytes[0] == 0x7f            ? 1
                          : (bytes[0] & 0xe0) == 0xc0 ? 2
                          : (bytes[0] & 0xf0) == 0xe0 ? 3
                                                      : 0;
    *code = length > 1 ? bytes[0] & (0x7fu >> length) : bytes[0];
    for (size_t i = 1; i < length && i < size; i++)
        *code = *code << 6 | (bytes[i] & 0x3f);
    return length <= size && cor_is_control(*code) ? length : 0;
}

static int append(const char *bytes, size_t size, void *text) {
    const unsigned char *at = (const unsigned char *)bytes, *from = at, *const end = at + size;
    for (size_t control; at<end; at += control> 0 ? control : 1) {
        uint32_t code;
        control = control_bytes(at, (size_t)(end - at), &code);
        if (control == 0)
            continue;
        char escape[16];
        snprintf(escape, sizeof escape, "\\u%04x", code);
        cor_bytes_put(text, from, (size_t)(at - from));
        cor_bytes_put(text, escape, strlen(escape));
        from = at + control;
    }
    cor_bytes_put(text, from, (size_t)(end - from));
    return ((const struct cor_bytes *)text)->status == COR_OK ? 0 : -1;
}

/* A number that was written with 17 digits, with the fewest of 15 to 17 that are read back as the same one,
 * in jansson's form; returns where it ends. What has fewer digits, and an integer, is copied. Half of all
 * numbers need the 17: these are known by 16 not being enough, as 15 are not then, unless numbers lie closer
 * on one side, as they do below a power of two. */
static char *put_number(char *to, const char *number, size_t length) {
    char digits[32], fewer[32];
    int exponent_of_two;
    if (length < 17 || strcspn(number, ".e") >= length) {
        memmove(to, number, length);
        return to + length;
    }
    const double real = strtod(number, NULL);
    snprintf(digits, sizeof digits, "%.16g", real);
    const bool is_enough = strtod(digits, NULL) == real;
    if (!is_enough && fabs(frexp(real, &exponent_of_two)) != 0.5) {
        memmove(to, number, length);
        return to + length;
    }
    snprintf(fewer, sizeof fewer, "%.15g", real);
    if (strtod(fewer, NULL) == real)
        memcpy(digits, fewer, sizeof digits);
    else if (!is_enough)
        snprintf(digits, sizeof digits, "%.17g", real);
    /* 1e+20 as 1e20, 1e-07 as 1e-7; a point where there is neither. A whole number above 10^15 can be longer
     * with an exponent than it was. */
    const size_t mantissa = strcspn(digits, "e");
    if (digits[mantissa] != '\0' && !memchr(number, 'e', length) && strlen(digits) - 1 > length) {
        memmove(to, number, length);
        return to + length;
    }
    memcpy(to, digits, mantissa);
    to += mantissa;
    if (digits[mantissa] == '\0') {
        if (!strchr(digits, '.')) {
            memcpy(to, ".0", 2);
            to += 2;
        }
        return to;
    }
    const char *exponent = digits + mantissa + 1;
    *to++ = 'e';
    if (*exponent == '-')
        *to++ = '-';
    exponent += strspn(exponent, "+-0");
    memcpy(to, exponent, strlen(exponent));
    return to + strlen(exponent);
}

void cor_json_shorten(char *text) {
    const char *from = text;
    char *to = text;
    while (*from) {
        if (*from == '"') {
            do {
                if (*from == '\\')
                    *to++ = *from++;
                *to++ = *from++;
            } while (*from != '"');
            *to++ = *from++;
        } else if (*from == '-' || (*from >= '0' && *from <= '9')) {
            const size_t length = strspn(from, "+-.0123456789e");
            to = put_number(to, from, length);
            from += length;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* The value as text with 17 digits, scalars too; `layout` is jansson's.
 * Freed with free(); NULL when memory is out. jansson 2.14 goes on when a key could not be appended, and then
 * calls the rest a success: so failures are kept here. */
static char *dump(const json_t *value, size_t layout) {
    struct cor_bytes text = {0};
    size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17) | layout;
    int failed = json_dump_callback(value, append, &text, flags);
    if (!failed)
        return cor_bytes_text_take(&text, NULL);
    cor_bytes_fini(&text);
    return NULL;
}

enum cor_status cor_json_text_take(struct cor_json_writer *writer, int indent, char **text,
                                   struct cor_error *error) {
    enum cor_status status = writer->status;
    *text = NULL;
    COR_ASSERT(writer->depth == 1);
    COR_ASSERT(json_array_size(writer->open[0]) == 1 || status != COR_OK);
    if (status == COR_OK)
        *text = dump(json_array_get(writer->open[0], 0),
                     indent == 0 ? JSON_COMPACT : JSON_INDENT((size_t)abs(indent)));
    if (*text && indent > 0)
        cor_json_shorten(*text);
    cor_json_writer_destroy(writer);
    if (status == COR_STATUS_INPUT)
        return cor_fail(error, status, NULL, NULL, "a text to be written is no valid UTF-8 or no JSON");
    return cor_made(*text, error);
}

char *cor_json_text(const struct cor_json *json) {
    return dump(json->value, JSON_COMPACT);
}
