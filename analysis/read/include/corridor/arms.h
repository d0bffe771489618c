/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arms of a result file, and what its texts say of them. */
#ifndef CORRIDOR_ARMS_H
#define CORRIDOR_ARMS_H

#include <corridor/result.h>
#include <corridor/structures.h>

#include <stdbool.h>

/* The number of arms; and the entry of the arm of that index in catalog/arm, which is below that number.
 * Borrowed from the header. */
static inline size_t cor_arm_count(const struct cor_result_header *head) {
    return head->catalog_size[COR_CATALOG_ARM];
}
static inline const struct cor_catalog_entry *cor_arm_entry(const struct cor_result_header *head,
                                                            size_t arm) {
    COR_ASSERT(arm < cor_arm_count(head));
    return &head->catalog[COR_CATALOG_ARM][arm];
}

/* Where the arm of that code, or of the name that is the first `length` letters of `name`, stands in
 * catalog/arm; the number of arms if there is none. */
size_t cor_arm_of_code(const struct cor_result_header *head, uint16_t code);
size_t cor_arm_of_name(const struct cor_result_header *head, const char *name, size_t length);

#define COR_KNOWN_ARMS 512

/* What to say to one who named no arm of the file: the names there are, that nearest to `name` first (see
 * cor_known_names). COR_STATUS_MEMORY. */
enum cor_status cor_arm_names(const struct cor_result_header *head, const char *name,
                              char known[COR_KNOWN_ARMS], struct cor_error *error) COR_MUST_USE;

/* Index of the arm called `name`, or of the only arm if `name` is NULL. COR_STATUS_INPUT, with the names
 * there are, if there is no such arm, or if there are several and none was named. `place` is what the user
 * gave
 * ("--arm"). */
enum cor_status cor_arm_find(const struct cor_result_header *head, const char *place, const char *name,
                             size_t *arm, struct cor_error *error) COR_MUST_USE;

/* The text under a key of a JSON object (an arm's description: "algorithm", "fault", "monitor", "adoption",
 * "result", "agents", "environment", "mail", "kind"; an experiment: "name", "mode"); owned by the caller;
 * NULL if it says none, or is no JSON. COR_STATUS_MEMORY, as those that follow: what could not be read says
 * nothing. */
enum cor_status cor_text_under(const char *json, const char *key, char **text,
                               struct cor_error *error) COR_MUST_USE;

/* The kind of the structures of an arm; partitionings where it says none. */
enum cor_structure_kind cor_arm_kind(const struct cor_catalog_entry *arm);

/* The same under a key of the object under `outer`. */
enum cor_status cor_text_within(const char *json, const char *outer, const char *key, char **text,
                                struct cor_error *error) COR_MUST_USE;

/* Whether the text under the key is that word. */
enum cor_status cor_says(const char *json, const char *key, const char *word, bool *same,
                         struct cor_error *error) COR_MUST_USE;

/* Whether the range under the key is that one, written as [least, most]; also if there is none, or no JSON.
 */
enum cor_status cor_ranges(const char *json, const char *key, int64_t least, int64_t most, bool *same,
                           struct cor_error *error) COR_MUST_USE;

/* Whether the description of an arm names a fault: of the algorithm, the monitor, adoption, the result or
 * agents, or mail that is lost or duplicated. Mail out of order or late is no fault: nobody promised another
 * order. */
enum cor_status cor_arm_has_fault(const struct cor_catalog_entry *entry, bool *has,
                                  struct cor_error *error) COR_MUST_USE;

/* Whether the text of an experiment says that its arms share suites ("mode": "paired"). */
enum cor_status cor_is_paired(const char *experiment, bool *paired, struct cor_error *error) COR_MUST_USE;

#endif
