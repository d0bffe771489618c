/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an arm is made of: the algorithm under test, the monitors under test, the mechanisms beside it. Who
 * names what an arm executes - a campaign, an estimate, a search, the file of a test - asks here. */
#ifndef CORRIDOR_ARM_COMPONENTS_H
#define CORRIDOR_ARM_COMPONENTS_H

#include <corridor/experiment.h>

enum cor_component { COR_COMPONENT_ALGORITHM, COR_COMPONENT_MONITOR, COR_COMPONENT_MECHANISM };

/* One of them. Texts live as long as the experiment. */
struct cor_arm_component {
    enum cor_component is;
    const char *name;   /* of an algorithm its name; of a monitor or mechanism its path, its name if it is
                           built in */
    const char *digest; /* SHA-256 of its file; NULL: it is built in, or that is not known */
    bool is_foreign;    /* it is not built in */
};

/* How many an arm has, at least 1. Component 0 is the algorithm; then come monitors, then mechanisms in the
 * order in which they work. */
uint32_t cor_arm_component_count(const struct cor_arm *arm);
struct cor_arm_component cor_arm_component_at(const struct cor_experiment *experiment,
                                              const struct cor_arm *arm, uint32_t index);

/* Puts an object with its name and digest, of one that has a digest. */
void cor_arm_component_put(const struct cor_arm_component *component, struct cor_json_writer *writer);

/* Says `digest`, `foreign` and `unasked` of the arm in a head; what was true before stays true. */
struct cor_arm_head;
void cor_arm_tell_code(const struct cor_experiment *experiment, const struct cor_arm *arm,
                       struct cor_arm_head *head);

/* Are there digests of all code that `count` arms bring along? Of a command there is none. */
bool cor_arms_are_known(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count);

/* Members of the provenance: the modules beside the algorithms of `count` arms, each once. None: nothing. */
void cor_arms_put_beside(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count,
                         struct cor_json_writer *writer);

/* Which walls do not stand on this machine around what works in cells in `count` arms: cor_guarantees_look,
 * which requires them if the experiment was opened so. */
enum cor_status cor_arms_look_at_isolation(const char *path, const struct cor_experiment *experiment,
                                           const struct cor_arm *arms, uint32_t count, char **warnings,
                                           struct cor_error *error) COR_MUST_USE;

#endif
