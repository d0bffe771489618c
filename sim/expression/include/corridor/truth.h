/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CORRIDOR_TRUTH_H
#define CORRIDOR_TRUTH_H

/* The values of a condition (Kleene; what makes one unknown is in world.h), and the verdict of a constraint.
 */
enum cor_truth { COR_TRUTH_FALSE, COR_TRUTH_TRUE, COR_TRUTH_UNKNOWN };

#endif
