/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions over elements in collections: a scope with a shape says which types of elements there are, a
 * world has their values as columns.
 *
 *   query      := all | any | one | sum | min | max | mean ( NAME in COLLECTION [where condition] : body )
 *               | count ( NAME in COLLECTION [where condition] ) | count ( COLLECTION )
 *   COLLECTION := NAME, all elements of a type | path
 *   path       := NAME.attribute, NAME.reference.attribute, NAME.collection, .., NAME.attribute@before
 *   element in COLLECTION, element = element, element != element are conditions
 *
 * A NAME is bound by a query, or that of an element that the shape names; in square brackets where it is no
 * identifier, or is called as a symbol or a definition: [item-1].done. An element may be called as a
 * collection is: where one is looked through, that is meant, else the element.
 *
 * all, any and one have a condition as their body, the others a number. A definition is a text with
 * parameters that is put in where its name is used; it may use those before it.
 *
 * There are three values (Kleene): what is not there is unknown (an attribute without a value, a reference to
 * nothing, min, max and mean of nothing, a part that overflows or divides by zero), "false and unknown" is
 * false, "true or unknown" is true, and what compares or reckons with something unknown is unknown. "all ..
 * where f: b" is "f implies b" of each, "any .. where f: b" is "f and b" of some. "one" holds if b does of
 * exactly one, whatever is unknown of others makes it unknown unless two are known. A count, a sum, the least
 * and the greatest are unknown if a filter or what is summed up is, of one element.
 *
 * There is no null to compare with: what has no value is unknown. So is what an attribute was before of an
 * element that was not there, and of all in the first state. An element that is not there now is in no
 * collection; what it is, has and refers to is unknown.
 *
 * Numbers with units are not compared, added, or chosen among those of another unit. A product and a quotient
 * have a unit of their own, none where it cancels; numbers without a unit go with all. */
#ifndef CORRIDOR_WORLD_H
#define CORRIDOR_WORLD_H

#include <corridor/expression.h>
#include <corridor/truth.h>

#define COR_QUERIES_NESTED_MAX 4
#define COR_EXPRESSION_BYTES_MAX (64u << 10) /* of a text over a shape */
#define COR_ASK_STEPS (UINT64_C(1) << 28)    /* nodes that one evaluation looks at; then it is unknown */

/* Whether both are one unit, in whatever order their words are written: "kW h", "h kW". NULL: none. */
bool cor_same_unit(const char *a, const char *b);

/* What elements of a type have. */
struct cor_attribute {
    const char *name;                /* borrowed */
    const struct cor_domain *domain; /* borrowed */
    const char *unit;                /* borrowed; NULL: none */
};

/* A collection of an element, or what it refers to. */
struct cor_relation {
    const char *name; /* borrowed */
    uint8_t type;     /* of the elements there */
};

struct cor_element_type {
    const char *name, *plural;              /* borrowed; "agent", "agents": the collection of all of them */
    const struct cor_attribute *attributes; /* borrowed, as all here */
    uint32_t attribute_count;
    const struct cor_relation *collections, *references;
    uint32_t collection_count, reference_count;
};

/* An element that has a name of its own. */
struct cor_named_element {
    const char *name; /* borrowed */
    uint8_t type;
    uint32_t element;
};

struct cor_definition {
    const char *name;
    const char *const *parameters;
    uint32_t parameter_count;
    const char *text;
};

/* What there is to ask about. */
struct cor_shape {
    const struct cor_element_type *types; /* at most 255 */
    uint32_t type_count;
    const struct cor_definition *definitions;
    uint32_t definition_count;
    const char *const *units;              /* [symbol of the scope], NULL: none has one */
    const struct cor_named_element *named; /* in the order of their names (strcmp), each once */
    uint32_t named_count;
};

/* The values of an attribute, by element. */
struct cor_attribute_values {
    const double *reals;     /* of a domain of reals, else NULL */
    const int64_t *integers; /* of others: the integer, 0 or 1, a word's number */
    const uint8_t *unknown;  /* [element] not 0: has no value; NULL: all have one */
};

/* The collections of all elements: that of e is items[start[e] .. start[e + 1]). An item that is no element
 * counts, and all of it is unknown. */
struct cor_memberships {
    const uint32_t *start, *items;
    const uint8_t *unknown; /* [element] not 0: what is in its collection is not known; NULL: all are known */
};

/* The elements of a type; arrays are as long as the type says. */
struct cor_population {
    uint32_t count;
    const struct cor_attribute_values *columns;
    const struct cor_memberships *collections;
    const uint32_t *const *references; /* [reference][element]; what is no element is unknown */
    const uint8_t *absent;             /* [element] not 0: is not there; NULL: all are */
};

/* As close as that two ways of reckoning may differ; of numbers above 1 such a share; where rounding may have
 * come to more, as much as that. */
#define COR_EDGE 1e-9

struct cor_world {
    const struct cor_population *populations; /* borrowed; [type] */
    const struct cor_population *before; /* borrowed; their columns in the state before, NULL: no state */
    bool has_edge; /* whether a comparison of reals that are closer than COR_EDGE is unknown: of those of
                      which one at least was reckoned, since what is only read is the same for all */
};

/* What was found unknown first; `node` is COR_NONE where nothing was. */
struct cor_unknown {
    uint32_t node;
    uint32_t element;  /* whose attribute or reference it is, COR_NONE of others */
    bool is_exhausted; /* there was too much to look at */
    bool is_close;     /* reals were compared as by `has_edge`, whether or not it mattered */
    bool is_lost; /* these are farther apart than COR_EDGE, but not than what rounding may have come to */
};

/* Does the condition, parsed over a shape, hold in the world? A symbol whose value is null is unknown.
 * `unknown` may be NULL; is_close is said of all conditions. */
enum cor_truth cor_expression_ask(const struct cor_expression *expression, const struct cor_value *values,
                                  const struct cor_world *world, struct cor_unknown *unknown);

/* Whether the condition is "all" over all elements of that type, so that each has a verdict of its own. */
bool cor_expression_is_of_each(const struct cor_expression *expression, uint8_t type);

/* These verdicts, truths[element]; one that the filter does not let pass has nothing to keep to, TRUE. */
void cor_expression_ask_each(const struct cor_expression *expression, const struct cor_value *values,
                             const struct cor_world *world, enum cor_truth *truths);

/* A comparison of reals that were reckoned of constants alone and are closer than COR_EDGE, the first:
 * rounding would decide it, in every world alike. False: there is none. */
bool cor_expression_constant_edge(const struct cor_expression *expression, struct cor_span *span);

/* The number that a value of reals, parsed over a shape, is in the world; false: it is unknown. */
bool cor_expression_reckon(const struct cor_expression *expression, const struct cor_value *values,
                           const struct cor_world *world, double *number);

/* How far the condition is from holding in the world, as cor_expression_degree says it, and by the same
 * rules: "all" adds what each element lacks, "any" takes the least of what one lacks, filter included. Reals
 * are off by their distance, rounded up; what is true or false (words, elements, attributes, "one", "in")
 * by 1. 0 if and only if it holds; COR_DEGREE_INFINITE where what decides is unknown. */
uint64_t cor_expression_degree_in(const struct cor_expression *expression, const struct cor_value *values,
                                  const struct cor_world *world);

/* The same of the condition and of its denial, counted in parts of which `parts` > 0 make 1: so that reals
 * that are off by less than 1 differ. */
void cor_expression_degrees_in(const struct cor_expression *expression, const struct cor_value *values,
                               const struct cor_world *world, uint64_t parts, uint64_t *of,
                               uint64_t *of_denial);

#define COR_BREACHES_KEPT 8
#define COR_BREACH_VALUES 6
#define COR_BREACH_COUNTED 8

/* One way in which a condition does not hold: the elements for which, the part of it, and values there; of a
 * number that hangs on one count(.. where ..), and of one(..), whom that counts, the first of them. */
struct cor_breach {
    uint32_t binding_count, value_count;
    struct cor_binding {
        struct cor_span name;
        uint32_t type, element;
    } bindings[COR_QUERIES_NESTED_MAX];
    struct cor_span part;
    bool is_wanted; /* the part should hold, and does not; else the other way round */
    struct cor_breach_value {
        struct cor_span text;
        struct cor_value value; /* an element as its index */
        uint8_t type;           /* enum cor_node_type */
        uint8_t element;        /* of an element: its type */
    } values[COR_BREACH_VALUES];
    uint32_t counted_count;
    bool counts_more; /* the last of its numbers does, than are kept */
    struct cor_counted {
        uint32_t value; /* among the values, or COR_NONE: of the part */
        uint32_t type, element;
    } counted[COR_BREACH_COUNTED];
};

struct cor_breaches {
    uint64_t count; /* all; the first are kept */
    bool is_cut;    /* there was too much to look at: there may be more */
    uint32_t kept_count;
    struct cor_breach kept[COR_BREACHES_KEPT];
};

/* Why a condition, which cor_expression_ask found false, does not hold. A part that is closer than COR_EDGE
 * is no reason, unless nothing else is. */
void cor_expression_explain(const struct cor_expression *expression, const struct cor_value *values,
                            const struct cor_world *world, struct cor_breaches *breaches);

/* What a condition, which cor_expression_ask did not find unknown, rests on, whether it holds or not: taken
 * apart along all of "and", "or", "any" and "all", to the parts that make it what it is. is_wanted: the part
 * does not hold. Truth values are values, too. An "any" that does not hold, and an "all" that does, is so by
 * each element that the filter lets through; by none, it is a part itself. */
void cor_expression_explain_fully(const struct cor_expression *expression, const struct cor_value *values,
                                  const struct cor_world *world, struct cor_breaches *breaches);

#define COR_GROUNDS_KEPT 8

/* What the verdict of a part of a condition rests on, whether it holds or not: of all comparisons in it, over
 * all elements, the one that decides - of what must all hold the one nearest to being violated, of what one
 * must hold the one farthest from it. */
struct cor_deciding_part {
    enum cor_truth truth; /* of the part */
    double slack;         /* by how much it holds; below 0: is violated; infinite: no numbers are compared */
    bool is_cut;          /* there was too much to look at: the truth is unknown */
    bool is_close;        /* rounding decides the comparison */
    struct cor_breach at; /* the comparison, or what else decides: is_wanted, it should hold; its values are
                             both sides, as written, where both are known */
    const char *unit;     /* of the sides; NULL: none, or not known */
};

struct cor_grounds {
    uint32_t count; /* all; the first are kept */
    struct cor_deciding_part kept[COR_GROUNDS_KEPT];
};

/* The grounds of a condition, one for each part that "and" joins in it. */
void cor_expression_grounds(const struct cor_expression *expression, const struct cor_value *values,
                            const struct cor_world *world, struct cor_grounds *grounds);

/* The breach as a sentence in the words of the text, cut off at `size`. */
void cor_breach_text(const struct cor_breach *breach, const struct cor_scope *scope, char *text, size_t size);

/* Its elements and values alone: "for button b1 (b): b.at is 3"; of a part without any what the part is. */
void cor_breach_facts_text(const struct cor_breach *breach, const struct cor_scope *scope, char *text,
                           size_t size);

/* A value of it as text. */
void cor_breach_value_text(const struct cor_breach_value *value, const struct cor_scope *scope, char *text,
                           size_t size);

/* A span in one line: blanks and line ends between words are one blank each. */
void cor_span_text(const struct cor_span *span, char *text, size_t size);

#endif
