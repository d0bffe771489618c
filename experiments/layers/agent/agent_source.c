/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_source.h>

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* How tightly what was written binds. Python's & and | bind more tightly than comparisons, so these stand in
 * brackets within them. */
enum power { ANY, COMPARE, SUM, PRODUCT, UNARY };

/* The expression of a plan, or of a rule, being written. */
struct writing {
    const struct cor_design *design;
    uint32_t event; /* whose parameters it may use; COR_NONE: those of a rule, fields alone */
    const struct cor_expression *expression;
    enum cor_agent_language language;
    struct cor_bytes *text;
};

static bool is_c(const struct writing *w) {
    return w->language == COR_AGENT_C;
}

static void put(struct cor_bytes *text, const char *words) {
    cor_bytes_print(text, "%s", words);
}

/* A name within a comment, which it cannot end. */
static void put_remark(struct cor_bytes *text, const char *words) {
    for (const char *at = words; *at; at++)
        cor_bytes_print(text, "%c",
                        (unsigned char)*at < ' '    ? ' '
                        : *at == '"' || *at == '\\' ? '\''
                        : ((*at == '/' || *at == '*') && at > words && (at[-1] == '*' || at[-1] == '/'))
                            ? ' '
                            : *at);
}

/* A text in double quotes, as both languages read it. */
static void put_quoted(struct cor_bytes *text, const char *words) {
    put(text, "\"");
    for (const char *at = words; *at; at++) {
        if (*at == '"' || *at == '\\')
            cor_bytes_print(text, "\\%c", *at);
        else if ((unsigned char)*at < ' ' || *at == '?')
            cor_bytes_print(text, "\\%03o", (unsigned char)*at);
        else
            cor_bytes_print(text, "%c", *at);
    }
    put(text, "\"");
}

/* The words of the format, and in them texts as they are (%s), in quotes (%q), as a remark (%r), and numbers
 * (%u). */
static void put_parts(struct cor_bytes *text, const char *format, ...) {
    va_list parts;
    va_start(parts, format);
    for (const char *at = format; *at; at++)
        if (*at != '%')
            cor_bytes_print(text, "%c", *at);
        else if (*++at == 'q')
            put_quoted(text, va_arg(parts, const char *));
        else if (*at == 'r')
            put_remark(text, va_arg(parts, const char *));
        else if (*at == 's')
            put(text, va_arg(parts, const char *));
        else
            cor_bytes_print(text, "%u", va_arg(parts, unsigned));
    va_end(parts);
}

static const struct cor_domain *domain_of(const struct writing *w, const struct cor_node *node) {
    return node->operator== COR_OPERATOR_VARIABLE
               ? cor_design_slot_domain(w->design, w->event, node->variable)
               : NULL;
}

static bool has_words(const struct writing *w, const struct cor_node *node) {
    const struct cor_domain *domain = domain_of(w, node);
    return domain && (domain->type == COR_VALUE_TYPE_STRING || domain->type == COR_VALUE_TYPE_ENUMERATION);
}

static void put_word(const struct writing *w, int64_t word) {
    if (word < 0)
        put(w->text, is_c(w) ? "NULL" : "None");
    else
        put_quoted(w->text, cor_words_text(&w->design->words, (uint32_t)word));
}

/* Words that Python keeps for itself: no name of an argument. */
static bool is_keyword(const char *name) {
    static const char *const words[] = {
        "False",    "None",  "True", "and",    "as",   "assert",   "async",    "await",  "break",  "class",
        "continue", "def",   "del",  "elif",   "else", "except",   "for",      "from",   "global", "if",
        "import",   "in",    "is",   "lambda", "not",  "nonlocal", "or",       "pass",   "raise",  "return",
        "try",      "while", "with", "yield",  "self", "event",    "optional", "belief", "when",   NULL};
    for (size_t i = 0; words[i]; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

/* ", name=", or ", **{"name": " and what closes it, where Python keeps the word for itself. */
static const char *put_argument_name(struct cor_bytes *text, const char *name) {
    if (!is_keyword(name)) {
        cor_bytes_print(text, ", %s=", name);
        return "";
    }
    put_parts(text, ", **{%q: ", name);
    return "}";
}

/* The value of a slot, by its name. */
static void put_slot(const struct writing *w, uint32_t slot) {
    const char *name = cor_design_slot_name(w->design, w->event, slot);
    const struct cor_domain *domain = cor_design_slot_domain(w->design, w->event, slot);
    if (is_c(w)) {
        put_parts(w->text, "%s%q)",
                  domain->type == COR_VALUE_TYPE_REAL ? "agent_real(me, "
                  : domain->type == COR_VALUE_TYPE_STRING || domain->type == COR_VALUE_TYPE_ENUMERATION
                      ? "agent_word(me, "
                      : "agent_integer(me, ",
                  name);
    } else if (slot < w->design->field_count) {
        put_parts(w->text, "b[%q]", name);
    } else if (is_keyword(name)) {
        put_parts(w->text, "e[%q]", name);
    } else {
        cor_bytes_print(w->text, "e.%s", name);
    }
}

static void put_node(const struct writing *w, uint32_t index, enum power around);

static void put_call(const struct writing *w, const char *name, const struct cor_node *node, bool has_me,
                     bool has_right) {
    cor_bytes_print(w->text, "%s(%s", name, has_me ? "me, " : "");
    put_node(w, node->left, ANY);
    if (has_right) {
        put(w->text, ", ");
        put_node(w, node->right, ANY);
    }
    put(w->text, ")");
}

/* Python's own numbers know no limits; those of the kit do, and so does what is reckoned with one of them. */
static bool is_checked(const struct writing *w, uint32_t index) {
    const struct cor_node *node = &w->expression->nodes[index];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        return false;
    case COR_OPERATOR_NEGATE:
    case COR_OPERATOR_ABS:
        return is_checked(w, node->left);
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX:
        return is_checked(w, node->left) && is_checked(w, node->right);
    default:
        return true;
    }
}

static void put_between(const struct writing *w, const struct cor_node *node, const char *sign,
                        enum power power, enum power around) {
    const bool compares = power == COMPARE, brackets = power < around || (compares && around > ANY);
    put(w->text, brackets ? "(" : "");
    put_node(w, node->left, compares ? SUM : power);
    cor_bytes_print(w->text, " %s ", sign);
    put_node(w, node->right, compares ? SUM : power + 1);
    put(w->text, brackets ? ")" : "");
}

/* Whole numbers of C are reckoned with by functions that see overflows, reals by operators whose outcome is
 * looked at; Python's kit has operators that see both. */
static void put_reckoned(const struct writing *w, const struct cor_node *node, enum power around) {
    static const struct {
        enum cor_operator operator;
        const char *sign, *whole, *python;
        enum power power;
    } known[] = {{COR_OPERATOR_ADD, "+", "agent_add", NULL, SUM},
                 {COR_OPERATOR_SUBTRACT, "-", "agent_subtract", NULL, SUM},
                 {COR_OPERATOR_MULTIPLY, "*", "agent_multiply", NULL, PRODUCT},
                 {COR_OPERATOR_DIVIDE, "/", "agent_divide", NULL, PRODUCT},
                 {COR_OPERATOR_REMAINDER, "%", "agent_remainder", NULL, PRODUCT},
                 {COR_OPERATOR_CEIL_DIVIDE, NULL, "agent_ceil_divide", "ceil_div", UNARY}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].operator!= node->operator)
            continue;
        if (!is_c(w) && known[i].python)
            put_call(w, known[i].python, node, false, true);
        else if (!is_c(w)) {
            /* An operator of Python between two numbers, of which one has to be checked. */
            const char *sign = known[i].sign;
            const enum power power = known[i].power;
            if (is_checked(w, node->left) || is_checked(w, node->right))
                put_between(w, node, sign, power, around);
            else {
                put(w->text, power < around ? "(checked(" : "checked(");
                put_node(w, node->left, ANY);
                cor_bytes_print(w->text, ") %s ", sign);
                put_node(w, node->right, power + 1);
                put(w->text, power < around ? ")" : "");
            }
        } else if (node->reals && node->operator== COR_OPERATOR_DIVIDE)
            put_call(w, "agent_quotient", node, true, true);
        else if (node->reals) {
            put(w->text, "agent_finite(me, ");
            put_between(w, node, known[i].sign, known[i].power, ANY);
            put(w->text, ")");
        } else
            put_call(w, known[i].whole, node, true, true);
        return;
    }
}

static bool is_constant(const struct cor_node *node, int64_t value) {
    return node->operator== COR_OPERATOR_CONSTANT && !node->reals && node->constant == value;
}

static void put_equal(const struct writing *w, const struct cor_node *node, enum power around) {
    const struct cor_node *left = &w->expression->nodes[node->left],
                          *right = &w->expression->nodes[node->right];
    const bool denies = node->operator== COR_OPERATOR_NOT_EQUAL;
    if (is_constant(left, 0) && is_constant(right, 0)) { /* how true and false are stored */
        put(w->text, is_c(w) ? (denies ? "0" : "1") : (denies ? "False" : "True"));
        return;
    }
    const struct cor_domain *domain = domain_of(w, left);
    if (domain && domain->type == COR_VALUE_TYPE_BOOLEAN &&
        (is_constant(right, 1) || is_constant(right, 0)) && !is_c(w)) {
        const bool is_denied = denies != is_constant(right, 0);
        put(w->text, is_denied ? "(not " : "");
        put_slot(w, left->variable);
        put(w->text, is_denied ? ")" : "");
        return;
    }
    if (!has_words(w, left) && !has_words(w, right)) {
        put_between(w, node, denies ? "!=" : "==", COMPARE, around);
        return;
    }
    const struct cor_node *sides[] = {left, right};
    put(w->text, is_c(w) ? (denies ? "(!agent_same(" : "agent_same(") : around > ANY ? "(" : "");
    for (int side = 0; side < 2; side++) {
        put(w->text, side == 0 ? "" : is_c(w) ? ", " : denies ? " != " : " == ");
        if (sides[side]->operator== COR_OPERATOR_CONSTANT)
            put_word(w, sides[side]->constant);
        else
            put_node(w, side == 0 ? node->left : node->right, COMPARE);
    }
    put(w->text, is_c(w) && denies ? "))" : is_c(w) || around > ANY ? ")" : "");
}

static void put_number(const struct writing *w, const struct cor_node *node) {
    if (node->reals) {
        char text[64];
        cor_value_text(cor_real(node->real), NULL, &w->design->words, text, sizeof text);
        put(w->text, text);
    } else if (!is_c(w))
        cor_bytes_print(w->text, node->constant < 0 ? "(%" PRId64 ")" : "%" PRId64, node->constant);
    else if (node->constant == INT64_MIN)
        put(w->text, "INT64_MIN");
    else
        cor_bytes_print(w->text, node->constant < 0 ? "(%" PRId64 ")" : "%" PRId64, node->constant);
}

/* "a > b" is stored as "b < a". */
static void put_less(const struct writing *w, const struct cor_node *node, enum power around) {
    const bool turned = node->left > node->right, equal = node->operator== COR_OPERATOR_LESS_EQUAL;
    const struct cor_node seen = {.left = turned ? node->right : node->left,
                                  .right = turned ? node->left : node->right};
    put_between(w, &seen, turned ? (equal ? ">=" : ">") : (equal ? "<=" : "<"), COMPARE, around);
}

static void put_node(const struct writing *w, uint32_t index, enum power around) {
    const struct cor_node *node = &w->expression->nodes[index];
    switch (node->operator) {
    case COR_OPERATOR_CONSTANT:
        put_number(w, node);
        return;
    case COR_OPERATOR_VARIABLE:
        put_slot(w, node->variable);
        return;
    case COR_OPERATOR_TO_REAL:
        put_call(w, is_c(w) ? "(double)" : "real", node, false, false);
        return;
    case COR_OPERATOR_NEGATE:
        if (is_c(w) && !node->reals) {
            put_call(w, "agent_negate", node, true, false);
            return;
        }
        put(w->text, "(-");
        put_node(w, node->left, UNARY);
        put(w->text, ")");
        return;
    case COR_OPERATOR_ABS:
        put_call(w,
                 !is_c(w)      ? "abs"
                 : node->reals ? "fabs"
                               : "agent_abs",
                 node, is_c(w) && !node->reals, false);
        return;
    case COR_OPERATOR_MIN:
    case COR_OPERATOR_MAX: {
        const bool least = node->operator== COR_OPERATOR_MIN;
        put_call(w,
                 !is_c(w)      ? (least ? "min" : "max")
                 : node->reals ? (least ? "agent_least" : "agent_greatest")
                               : (least ? "agent_min" : "agent_max"),
                 node, false, true);
        return;
    }
    case COR_OPERATOR_NOT:
        put(w->text, is_c(w) ? "(!(" : "(not ");
        put_node(w, node->left, ANY);
        put(w->text, is_c(w) ? "))" : ")");
        return;
    case COR_OPERATOR_AND:
    case COR_OPERATOR_OR: {
        /* Comparisons stand in brackets within them, and so does & beside |: some compilers warn. */
        const bool brackets = around > ANY,
                   goes_on = w->expression->nodes[node->left].operator== node->operator;
        put(w->text, brackets ? "(" : "");
        put_node(w, node->left, goes_on ? ANY : SUM);
        put(w->text, node->operator== COR_OPERATOR_AND ? " & " : " | ");
        put_node(w, node->right, SUM);
        put(w->text, brackets ? ")" : "");
        return;
    }
    case COR_OPERATOR_LESS:
    case COR_OPERATOR_LESS_EQUAL:
        put_less(w, node, around);
        return;
    case COR_OPERATOR_EQUAL:
    case COR_OPERATOR_NOT_EQUAL:
        put_equal(w, node, around);
        return;
    default:
        put_reckoned(w, node, around);
    }
}

/* The whole expression; what it gives where that is no number says its domain. */
static void put_expression(const struct writing *w, const struct cor_domain *domain) {
    const uint32_t root = w->expression->node_count - 1;
    const struct cor_node *node = &w->expression->nodes[root];
    const bool words =
        domain && (domain->type == COR_VALUE_TYPE_STRING || domain->type == COR_VALUE_TYPE_ENUMERATION);
    if (words && node->operator== COR_OPERATOR_CONSTANT)
        put_word(w, node->constant);
    else
        put_node(w, root, ANY);
}

/* A value to be reported, of that domain; `name` NULL: it needs none. */
static void put_reported_value(const struct writing *w, const char *name, const struct cor_domain *domain) {
    if (!is_c(w)) {
        put_expression(w, domain);
        return;
    }
    put(w->text, domain->type == COR_VALUE_TYPE_REAL ? "cor_aut_real("
                 : domain->type == COR_VALUE_TYPE_STRING || domain->type == COR_VALUE_TYPE_ENUMERATION
                     ? "cor_aut_word("
                     : "cor_aut_integer(");
    if (name)
        put_quoted(w->text, name);
    else
        put(w->text, "NULL");
    put(w->text, ", ");
    put_expression(w, domain);
    put(w->text, ")");
}

/* The source being made. */
struct source {
    const struct cor_design *design;
    enum cor_agent_language language;
    struct cor_bytes text;
    char **names; /* owned; [plan] functions are called by it */
};

static bool makes_c(const struct source *s) {
    return s->language == COR_AGENT_C;
}

static struct writing writing_of(struct source *s, uint32_t event, const struct cor_expression *expression) {
    return (struct writing){s->design, event, expression, s->language, &s->text};
}

static void indent(struct source *s, uint32_t depth) {
    cor_bytes_print(&s->text, "%*s", (int)(4 * depth), "");
}

/* "plan_" and small letters, digits and _ of the name, so that it is no word of a language, of a library or
 * of the kit; numbered where that is there already. */
static char *function_name(const struct source *s, uint32_t plan) {
    char name[64] = "plan_";
    size_t length = strlen(name);
    for (const char *at = s->design->plans[plan].name; *at && length < 45; at++)
        name[length++] = (char)(isalnum((unsigned char)*at) ? tolower((unsigned char)*at) : '_');
    bool again = false;
    for (uint32_t p = 0; p < plan && !again; p++)
        again = strcmp(s->names[p], name) == 0;
    return again ? cor_format("%s_%u", name, plan) : cor_strdup(name);
}

/* What the plan may do by its design, as words of a comment. */
static void put_uses(struct source *s, const struct cor_design_plan *plan, const char *lead) {
    const struct {
        const char *word;
        const struct cor_indices *uses;
    } kinds[] = {
        {"posts", &plan->posts}, {"sends", &plan->sends}, {"does", &plan->does}, {"writes", &plan->writes}};
    const char *between = lead;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t i = 0; i < kinds[k].uses->count; i++) {
            const uint32_t at = kinds[k].uses->items[i];
            const char *name = k == 0   ? s->design->events[at].name
                               : k == 1 ? s->design->messages[at].name
                               : k == 2 ? s->design->actions[at].name
                                        : s->design->beliefs[at].name;
            put_parts(&s->text, "%s%s %r", between, i == 0 ? kinds[k].word : "", name);
            between = i + 1 < kinds[k].uses->count ? "," : "; ";
        }
}

static const char *type_of(const struct source *s, uint32_t domain) {
    switch (s->design->domains[domain].type) {
    case COR_VALUE_TYPE_INTEGER:
        return "int";
    case COR_VALUE_TYPE_REAL:
        return "float";
    case COR_VALUE_TYPE_BOOLEAN:
        return "bool";
    case COR_VALUE_TYPE_STRING:
    case COR_VALUE_TYPE_ENUMERATION:
        return "str";
    }
    return "str";
}

/* The arguments of what is posted or sent, and the end of the call. */
static void put_arguments(struct source *s, const struct cor_design_plan *plan,
                          const struct cor_instruction *instruction,
                          const struct cor_design_parameter *parameters, uint32_t count) {
    if (makes_c(s) && count > 0)
        put(&s->text, "(const struct cor_aut_value[]){");
    else if (makes_c(s))
        put(&s->text, "NULL");
    for (uint32_t p = 0; p < count; p++) {
        const struct cor_design_parameter *parameter = &parameters[p];
        const struct writing w =
            writing_of(s, plan->trigger, &plan->code.expressions[instruction->expression + p]);
        const char *end = "";
        if (makes_c(s))
            put(&s->text, p > 0 ? ", " : "");
        else
            end = put_argument_name(&s->text, parameter->name);
        put_reported_value(&w, parameter->name, &s->design->domains[parameter->domain]);
        put(&s->text, end);
    }
    if (makes_c(s))
        cor_bytes_print(&s->text, "%s, %u));\n", count > 0 ? "}" : "", count);
    else
        put(&s->text, ")\n");
}

static void put_post(struct source *s, const struct cor_design_plan *plan,
                     const struct cor_instruction *instruction, uint32_t depth) {
    const struct cor_design_event *event = &s->design->events[instruction->subject];
    indent(s, depth);
    put_parts(&s->text, "%s%q", makes_c(s) ? "AGENT_DO(agent_post(me, " : "me.post(", event->name);
    if (makes_c(s))
        cor_bytes_print(&s->text, ", %d, ", instruction->optional);
    else if (instruction->optional)
        put(&s->text, ", optional=True");
    put_arguments(s, plan, instruction, event->parameters, event->parameter_count);
}

/* A statement of the body; those within it follow. *instruction is the first of it, and then that behind it.
 */
static void put_statements(struct source *s, const struct cor_design_plan *plan, uint32_t from, uint32_t to,
                           uint32_t depth, uint32_t *instruction) {
    if (from == to && !makes_c(s)) {
        indent(s, depth);
        put(&s->text, "pass\n");
    }
    for (uint32_t i = from; i < to; i = plan->body.statements[i].end) {
        const struct cor_statement *statement = &plan->body.statements[i];
        const struct cor_instruction *it = &plan->code.instructions[(*instruction)++];
        const struct writing w = writing_of(s, plan->trigger, &plan->code.expressions[it->expression]);
        switch (statement->kind) {
        case COR_STATEMENT_SET: {
            const struct cor_design_field *field = &s->design->fields[it->subject];
            indent(s, depth);
            put_parts(&s->text, "%s%q, ", makes_c(s) ? "AGENT_DO(agent_set(me, " : "me.set(",
                      field->full_name);
            put_reported_value(&w, NULL, &s->design->domains[field->domain]);
            put(&s->text, makes_c(s) ? "));\n" : ")\n");
            break;
        }
        case COR_STATEMENT_SEND:
        case COR_STATEMENT_DO: {
            const bool sends = statement->kind == COR_STATEMENT_SEND;
            const struct cor_design_output *message = sends ? &s->design->messages[it->subject] : NULL;
            indent(s, depth);
            if (message && message->parameter_count > 0) {
                put_parts(&s->text, "%s%q%s", makes_c(s) ? "AGENT_DO(agent_send_with(me, " : "me.send(",
                          message->name, makes_c(s) ? ", " : "");
                put_arguments(s, plan, it, message->parameters, message->parameter_count);
                break;
            }
            put_parts(&s->text, "%s%q%s",
                      makes_c(s) ? (sends ? "AGENT_DO(agent_send(me, " : "AGENT_DO(agent_do(me, ")
                                 : (sends ? "me.send(" : "me.do("),
                      message ? message->name : s->design->actions[it->subject].name,
                      makes_c(s) ? "));\n" : ")\n");
            break;
        }
        case COR_STATEMENT_POST:
            put_post(s, plan, it, depth);
            break;
        case COR_STATEMENT_IF:
            indent(s, depth);
            if (makes_c(s)) {
                put(&s->text, "AGENT_DO(agent_test(me, ");
                put_expression(&w, NULL);
                put(&s->text, ", &holds));\n");
                indent(s, depth);
                put(&s->text, "if (holds) {\n");
            } else {
                put(&s->text, "if me.test(lambda: ");
                put_expression(&w, NULL);
                put(&s->text, "):\n");
            }
            put_statements(s, plan, i + 1, statement->otherwise, depth + 1, instruction);
            if (statement->otherwise < statement->end) {
                (*instruction)++; /* the jump over the else-part */
                indent(s, depth);
                put(&s->text, makes_c(s) ? "} else {\n" : "else:\n");
                put_statements(s, plan, statement->otherwise, statement->end, depth + 1, instruction);
            }
            if (makes_c(s)) {
                indent(s, depth);
                put(&s->text, "}\n");
            }
            break;
        case COR_STATEMENT_WHILE:
            indent(s, depth);
            if (makes_c(s)) {
                put(&s->text, "for (;;) {\n");
                indent(s, depth + 1);
                put(&s->text, "AGENT_DO(agent_test(me, ");
                put_expression(&w, NULL);
                put(&s->text, ", &holds));\n");
                indent(s, depth + 1);
                put(&s->text, "if (!holds)\n");
                indent(s, depth + 2);
                put(&s->text, "break;\n");
            } else {
                put(&s->text, "while me.test(lambda: ");
                put_expression(&w, NULL);
                put(&s->text, "):\n");
            }
            put_statements(s, plan, i + 1, statement->end, depth + 1, instruction);
            (*instruction)++; /* the jump back */
            if (makes_c(s)) {
                indent(s, depth);
                put(&s->text, "}\n");
            }
            break;
        case COR_STATEMENT_FAIL:
            indent(s, depth);
            put(&s->text, makes_c(s) ? "AGENT_DO(agent_fail(me));\n" : "me.fail()\n");
            break;
        case COR_STATEMENT_PARALLEL:
        case COR_STATEMENT_STRAND:
        case COR_STATEMENT_INSERT:
        case COR_STATEMENT_REMOVE:
            break; /* refused */
        }
    }
}

/* A condition of constants alone asks nothing of the agent. */
static void put_c_condition(struct source *s, const struct writing *w) {
    bool asks = false;
    for (uint32_t i = 0; i < w->expression->node_count; i++)
        asks = asks || w->expression->nodes[i].operator== COR_OPERATOR_VARIABLE;
    put(&s->text,
        asks ? "(struct agent *me) {\n    return " : "(struct agent *me) {\n    (void)me;\n    return ");
    put_expression(w, NULL);
    put(&s->text, ";\n}\n");
}

/* Whether several intentions are at work: an agent that takes turns is written by hand. */
static bool is_by_hand(const struct cor_design_plan *plan) {
    for (uint32_t i = 0; i < plan->body.count; i++)
        if (plan->body.statements[i].kind > COR_STATEMENT_FAIL || plan->body.statements[i].aside)
            return true;
    return false;
}

/* A plan without statements that is to use something is not written yet. */
static bool is_stub(const struct cor_design_plan *plan) {
    return plan->body.count == 0 &&
           plan->posts.count + plan->sends.count + plan->does.count + plan->writes.count > 0;
}

static void put_c_plan(struct source *s, uint32_t number) {
    const struct cor_design_plan *plan = &s->design->plans[number];
    uint32_t instruction = 0;
    put_parts(&s->text, "\n/* %r, for %r", plan->name, s->design->events[plan->trigger].name);
    put_uses(s, plan, ": ");
    put(&s->text, ". */\n");
    if (plan->code.has_context) {
        const struct writing w = writing_of(s, plan->trigger, &plan->code.context);
        cor_bytes_print(&s->text, "static int is_for_%s", s->names[number]);
        put_c_condition(s, &w);
        put(&s->text, "\n");
    }
    cor_bytes_print(&s->text, "static enum agent_outcome %s(struct agent *me) {\n", s->names[number]);
    if (plan->code.branch_count > 0)
        put(&s->text, "    int holds;\n");
    if (plan->body.count == 0)
        cor_bytes_print(&s->text, "    (void)me;%s\n", is_stub(plan) ? " /* to be written */" : "");
    put_statements(s, plan, 0, plan->body.count, 1, &instruction);
    put(&s->text, "    return AGENT_DONE;\n}\n");
}

static void put_c_rules(struct source *s) {
    for (uint32_t r = 0; r < s->design->rule_count; r++) {
        const struct cor_design_rule *rule = &s->design->rules[r];
        const struct cor_design_event *event = &s->design->events[rule->event];
        const struct writing w = writing_of(s, COR_NONE, &rule->when);
        cor_bytes_print(&s->text, "\nstatic int rule_%u", r);
        put_c_condition(s, &w);
        cor_bytes_print(&s->text, "\nstatic const char *const rule_%u_fields[] = {", r);
        for (uint32_t p = 0; p < rule->fields.count; p++) {
            put_parts(&s->text, "%q, %q, ", event->parameters[p].name,
                      s->design->fields[rule->fields.items[p]].full_name);
        }
        put(&s->text, "NULL};\n");
    }
    if (s->design->rule_count == 0)
        return;
    put(&s->text, "\nstatic const struct agent_rule rules[] = {\n");
    for (uint32_t r = 0; r < s->design->rule_count; r++) {
        const struct cor_design_rule *rule = &s->design->rules[r];
        put_parts(&s->text, "    {%q, rule_%u, %q, rule_%u_fields},\n", s->design->beliefs[rule->belief].name,
                  r, s->design->events[rule->event].name, r);
    }
    put(&s->text, "    {0}};\n");
}

/* Which argument is which key: `each` for all of them; how many there are. */
static uint32_t for_keys(struct source *s, void (*each)(struct source *, uint32_t event, uint32_t field)) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->design->event_count; e++)
        for (uint32_t f = 0; f < s->design->events[e].keys.count; f++)
            if (s->design->events[e].keys.items[f] != COR_NONE) {
                count++;
                if (each)
                    each(s, e, f);
            }
    return count;
}

static void put_c_key(struct source *s, uint32_t event, uint32_t field) {
    const struct cor_design_event *it = &s->design->events[event];
    put_parts(&s->text, "    {%q, %q, %q},\n", it->name, s->design->fields[field].full_name,
              it->parameters[it->keys.items[field]].name);
}

static void put_c(struct source *s) {
    const struct cor_design *design = s->design;
    put_parts(&s->text,
              "/* The agent %r, as its design says; begun by corridor new agent. */\n"
              "#include <corridor/agent_kit.h>\n",
              design->name);
    for (uint32_t p = 0; p < design->plan_count; p++)
        put_c_plan(s, p);
    put_c_rules(s);
    const bool has_keys = for_keys(s, NULL) > 0;
    if (has_keys) {
        put(&s->text, "\nstatic const struct agent_key keys[] = {\n");
        for_keys(s, put_c_key);
        put(&s->text, "    {0}};\n");
    }
    put(&s->text, "\n/* A plan whose event is NULL is not built yet: the others are tested without it. */\n"
                  "static const struct agent_plan plans[] = {\n");
    for (uint32_t p = 0; p < design->plan_count; p++) {
        const struct cor_design_plan *plan = &design->plans[p];
        put_parts(&s->text, "    {%q, ", plan->name);
        if (is_stub(plan)) {
            put_parts(&s->text, "NULL /* %r */", design->events[plan->trigger].name);
        } else {
            put_quoted(&s->text, design->events[plan->trigger].name);
        }
        cor_bytes_print(&s->text, plan->code.has_context ? ", is_for_%s" : ", NULL", s->names[p]);
        cor_bytes_print(&s->text, ", %s},\n", s->names[p]);
    }
    cor_bytes_print(
        &s->text,
        "    {0}};\n\nstatic const struct agent_parts parts = {plans, %s, %s};\n\n"
        "static int run(void *state, const struct cor_aut_case *asked, const struct cor_aut_host *host) {\n"
        "    return agent_run(state, &parts, asked, host);\n}\n\n"
        "static const struct cor_aut_handle handles[] = {\n",
        has_keys ? "keys" : "NULL", design->rule_count > 0 ? "rules" : "NULL");
    for (uint32_t p = 0; p < design->plan_count; p++) {
        put_parts(&s->text, "    {%q, ", design->plans[p].name);
        if (is_stub(&design->plans[p]))
            put(&s->text, "NULL");
        else
            put_quoted(&s->text, design->events[design->plans[p].trigger].name);
        put(&s->text, "},\n");
    }
    put_parts(&s->text,
              "    {0}};\n"
              "\n"
              "COR_EXPORT extern const struct cor_aut corridor_aut_1;\n"
              "const struct cor_aut corridor_aut_1 = {COR_AUT, .name = %q, .version = \"0\", .summary = "
              "\"begun from its design\",\n"
              "    .handles = handles, .state_size = sizeof(struct agent), .run = run};\n",
              design->name);
}

static void put_python(struct source *s) {
    const struct cor_design *design = s->design;
    put_parts(&s->text,
              "#!/usr/bin/env python3\n"
              "\"\"\"The agent %r, as its design says; begun by corridor new agent.\"\"\"\n"
              "from corridor_agent import Agent, ceil_div, checked, real  # noqa: F401\n"
              "\n"
              "agent = Agent(%q, beliefs={",
              design->name, design->name);
    for (uint32_t f = 0; f < design->field_count; f++) {
        put_parts(&s->text, "%s%q: %s", f > 0 ? ", " : "", design->fields[f].full_name,
                  type_of(s, design->fields[f].domain));
    }
    put(&s->text, "})\n");
    for (uint32_t e = 0; e < design->event_count; e++) {
        const struct cor_design_event *event = &design->events[e];
        put_parts(&s->text, "agent.event(%q, {", event->name);
        for (uint32_t p = 0; p < event->parameter_count; p++) {
            put_parts(&s->text, "%s%q: %s", p > 0 ? ", " : "", event->parameters[p].name,
                      type_of(s, event->parameters[p].domain));
        }
        put(&s->text, "}");
        uint32_t keys = 0;
        for (uint32_t f = 0; f < event->keys.count; f++) {
            if (event->keys.items[f] == COR_NONE)
                continue;
            put_parts(&s->text, "%s%q: %q", keys++ == 0 ? ", keys={" : ", ", design->fields[f].full_name,
                      event->parameters[event->keys.items[f]].name);
        }
        put(&s->text, keys > 0 ? "})\n" : ")\n");
    }
    for (uint32_t r = 0; r < design->rule_count; r++) {
        const struct cor_design_rule *rule = &design->rules[r];
        const struct cor_design_event *event = &design->events[rule->event];
        const struct writing w = writing_of(s, COR_NONE, &rule->when);
        put_parts(&s->text, "agent.rule(%q, lambda b: ", design->beliefs[rule->belief].name);
        put_expression(&w, NULL);
        put_parts(&s->text, ", %q", event->name);
        for (uint32_t p = 0; p < rule->fields.count; p++) {
            const char *end = put_argument_name(&s->text, event->parameters[p].name);
            put_parts(&s->text, "%q%s", design->fields[rule->fields.items[p]].full_name, end);
        }
        put(&s->text, ")\n");
    }
    for (uint32_t p = 0; p < design->plan_count; p++) {
        const struct cor_design_plan *plan = &design->plans[p];
        uint32_t instruction = 0;
        put_parts(&s->text, "\n\n@agent.%s(%q, %q", is_stub(plan) ? "stub" : "plan", plan->name,
                  design->events[plan->trigger].name);
        if (plan->code.has_context) {
            const struct writing w = writing_of(s, plan->trigger, &plan->code.context);
            put(&s->text, ", lambda e, b: ");
            put_expression(&w, NULL);
        }
        cor_bytes_print(&s->text, ")\ndef %s(me, e, b):\n", s->names[p]);
        if (is_stub(plan)) {
            put(&s->text, "    # to be written, then @agent.plan");
            put_uses(s, plan, ": ");
            put(&s->text, "\n");
        }
        put_statements(s, plan, 0, plan->body.count, 1, &instruction);
    }
    put(&s->text, "\n\nif __name__ == \"__main__\":\n    agent.main()\n");
}

enum cor_status cor_agent_source(const struct cor_design_file *file, enum cor_agent_language language,
                                 char **text, struct cor_error *error) {
    enum { FIELDS_MOST = 256, PLANS_MOST = 1024, PARAMETERS_MOST = 64 }; /* of agent_kit.h */
    struct source source = {.design = file->design, .language = language};
    const struct cor_design *design = file->design;
    enum cor_status status = COR_OK;
    *text = NULL;
    if (design->field_count > FIELDS_MOST || design->plan_count > PLANS_MOST)
        return cor_fail(error, COR_STATUS_INPUT, file->path, "write it by hand (docs/learn/test-an-agent.md)",
                        "%u fields and %u plans are more than the %d and %d that an agent begins with",
                        design->field_count, design->plan_count, FIELDS_MOST, PLANS_MOST);
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (is_by_hand(&design->plans[p]))
            return cor_fail(error, COR_STATUS_INPUT, file->path,
                            "write it by hand, as experiments/library/agents/parcel_desk.py is",
                            "plan %s has several intentions at work", design->plans[p].name);
    if (design->relation_count > 0)
        return cor_fail(error, COR_STATUS_INPUT, file->path,
                        "write it by hand, as experiments/library/agents/book_shelf.py is",
                        "a belief set is a relation, which an agent does not begin with");
    for (uint32_t e = 0; e < design->event_count; e++)
        if (design->events[e].parameter_count > PARAMETERS_MOST)
            return cor_fail(error, COR_STATUS_INPUT, file->path,
                            "write it by hand (docs/learn/test-an-agent.md)",
                            "event %s has more than %d parameters", design->events[e].name, PARAMETERS_MOST);
    COR_TRY_OUT(cor_made(source.names = cor_calloc(design->plan_count + 1, sizeof *source.names), error));
    for (uint32_t p = 0; p < design->plan_count; p++) {
        COR_TRY_OUT(cor_made(source.names[p] = function_name(&source, p), error));
    }
    if (language == COR_AGENT_C)
        put_c(&source);
    else
        put_python(&source);
    *text = cor_bytes_text_take(&source.text, error);
    status = *text ? COR_OK : COR_STATUS_MEMORY;
out:
    for (uint32_t p = 0; source.names && p < design->plan_count; p++)
        free(source.names[p]);
    free(source.names);
    cor_bytes_fini(&source.text);
    return status;
}
