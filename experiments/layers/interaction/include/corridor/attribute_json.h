/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes as files have them: what is declared, and numbers as people write them. */
#ifndef CORRIDOR_ATTRIBUTE_JSON_H
#define CORRIDOR_ATTRIBUTE_JSON_H

#include <corridor/attributes.h>
#include <corridor/fields.h>
#include <corridor/plugin.h>

/* The keys of a declaration. */
extern const struct cor_field cor_attribute_fields[];

/* Reads what an attribute called `name` is declared to be, of an object that may have other keys, or of the
 * name of a type. On failure what was read is for cor_attribute_fini_declaration. */
enum cor_status cor_attribute_read(const struct cor_json *json, const char *name,
                                   struct cor_agent_attribute *attribute,
                                   struct cor_error *error) COR_MUST_USE;

/* Writes it as members of the object that is open. */
void cor_attribute_put(struct cor_json_writer *writer, const struct cor_agent_attribute *attribute);

/* Reads an object with the member "name" and a declaration. `fields` are all that it may have. */
enum cor_status cor_attribute_read_named(const struct cor_json *json, const struct cor_field *fields,
                                         struct cor_agent_attribute *attribute,
                                         struct cor_error *error) COR_MUST_USE;

/* Reads and writes a number of the attribute: a word, true or false, a number. */
enum cor_status cor_attribute_read_number(const struct cor_json *json,
                                          const struct cor_agent_attribute *attribute, double *number,
                                          struct cor_error *error) COR_MUST_USE;
void cor_attribute_put_number(struct cor_json_writer *writer, const struct cor_agent_attribute *attribute,
                              double number);

/* What an algorithm is told of the columns: the value, then the attributes, from which it borrows; freed with
 * free(). */
enum cor_status cor_attribute_columns(const struct cor_agent_attribute *attributes, uint32_t count,
                                      struct cor_value_column **columns,
                                      struct cor_error *error) COR_MUST_USE;

/* Has the algorithm all attributes that it needs, in its units? COR_STATUS_INPUT names the first that it has
 * not, and those there are, at `place`. */
enum cor_status cor_attribute_check_needs(const struct cor_agent_attribute *attributes, uint32_t count,
                                          const struct cor_algorithm *algorithm, const char *place,
                                          struct cor_error *error) COR_MUST_USE;

/* The same of anything, `what` it is and `whose` name it has, that needs these (NULL: none). */
enum cor_status cor_attribute_check_columns(const struct cor_agent_attribute *attributes, uint32_t count,
                                            const char *what, const char *whose, const char *const *needs,
                                            const char *place, struct cor_error *error) COR_MUST_USE;

#endif
