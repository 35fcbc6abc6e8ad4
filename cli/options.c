/* Parsing shared by the subcommands: pairs, targets, launch shapes, counts, and suggestions for
** misspelt names. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "cli/cli.h"

/* The length of the identifier at `text`; UTF-8 counts as letters. */
static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalpha((unsigned char)text[length]) || text[length] == '_' || text[length] & 0x80 ||
           (length && isdigit((unsigned char)text[length])))
        length++;
    return length;
}

/* The same with indices of tuples' items: t[0][1]. */
static size_t item_length(const char *text)
{
    size_t length = name_length(text);
    while (length && text[length] == '[') {
        size_t digits = strspn(text + length + 1, "0123456789");
        if (!digits || text[length + 1 + digits] != ']')
            break;
        length += digits + 2;
    }
    return length;
}

/* The same of several, with commas between. */
static size_t items_length(const char *text)
{
    size_t length = item_length(text);
    while (length && text[length] == ',') {
        size_t more = item_length(text + length + 1);
        if (!more)
            break;
        length += 1 + more;
    }
    return length;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

/* Reports a name that has a value already. */
static int refuse_twice(const Pairs *pairs, const Pair *pair, const char *what)
{
    const Pair *before = pairs_find(pairs, pair->name);

    if (!before)
        return EXIT_DONE;
    if (what[0] == '-')
        complain("'%s' is given twice: %s %s=%s and %s=%s; which one?", pair->name, what,
                 before->name, before->value, pair->name, pair->value);
    else
        complain("'%s' is given twice: %s=%s and %s=%s; which one?", pair->name, before->name,
                 before->value, pair->name, pair->value);
    return EXIT_COMMAND;
}

/* Reports a file that is used for another array. */
static int refuse_same_file(const Pairs *pairs, const Pair *pair, const char *what)
{
    for (size_t i = 0; i < pairs->count && pair->value; i++) {
        const Pair *before = &pairs->list[i];
        if (!before->value || strcmp(before->value, pair->value) != 0)
            continue;
        return bad_usage("%s %s=%s: '%s' goes to that file already", what, pair->name, pair->value,
                         before->name);
    }
    return EXIT_DONE;
}

int pairs_add(Pairs *pairs, const char *text, const char *what, const char *form)
{
    bool option = what[0] == '-' && what[1] == '-'; /* of the form NAME=FILE, for arrays */
    bool several = strchr(form, ',') != NULL;
    size_t length = several ? items_length(text) : option ? item_length(text) : name_length(text);
    bool has_value = text[length] == '=' && text[length + 1];
    bool right = has_value ? strchr(form, '=') != NULL : !text[length] && form[4] != '=';
    if (!length || !right)
        return bad_usage("%s wants %s, not '%s'%s", what, form, text,
                         option && text[length] == ',' ? "; it may be said several times" : "");
    const char *value = has_value ? text + length + 1 : NULL;
    Pair pair = {
        .name = must_strndup(text, length),
        .value = value ? must_strndup(value, strlen(value)) : NULL,
    };
    int status = option ? refuse_same_file(pairs, &pair, what) : refuse_twice(pairs, &pair, what);
    must_push(pairs->list, pairs->count) = pair;
    return status;
}

void pairs_default(Pairs *pairs, const char *name, const char *value)
{
    if (pairs_find(pairs, name))
        return;
    must_push(pairs->list, pairs->count) =
        (Pair){ must_strndup(name, strlen(name)), must_strndup(value, strlen(value)) };
}

const Pair *pairs_find(const Pairs *pairs, const char *name)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (!strcmp(pairs->list[i].name, name))
            return &pairs->list[i];
    return NULL;
}

void pairs_free(Pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->list[i].name);
        free(pairs->list[i].value);
    }
    free(pairs->list);
    *pairs = (Pairs){ 0 };
}

/* ---- options -------------------------------------------------------------------------------- */

/* The options of a parser, its children's and argp's own included. */
typedef struct OptionList {
    const struct argp_option **list;
    size_t count;
} OptionList;

static void list_options(OptionList *known, const struct argp *parser)
{
    for (const struct argp_option *at = parser->options; at && (at->name || at->key); at++) {
        must_push(known->list, known->count) = at;
    }
    for (const struct argp_child *at = parser->children; at && at->argp; at++)
        list_options(known, at->argp);
}

/* The option of an argument: "--grid", "--grid=4x4", an abbreviation, or "-D"; or NULL. An exact
** name precedes longer ones. */
static const struct argp_option *option_of(const OptionList *known, const char *text)
{
    const struct argp_option *begins = NULL;
    bool is_long = text[1] == '-';
    size_t length = is_long ? strcspn(text + 2, "=") : 0;

    for (size_t i = 0; i < known->count; i++) {
        const struct argp_option *at = known->list[i];
        if (!is_long && at->key == text[1])
            return at;
        if (!is_long || !at->name || strncmp(at->name, text + 2, length) != 0)
            continue;
        if (!at->name[length])
            return at;
        begins = begins ? begins : at;
    }
    return begins;
}

/* Refuses an option given twice, of which only the last would count. */
static int refuse_again(const OptionList *known, const struct argp_option *option,
                        const char **before, const char *value)
{
    size_t at = 0;

    while (known->list[at] != option)
        at++;
    bool again = before[at] && !(option->flags & OPTION_REPEATS);
    if (again)
        complain("--%s is given twice: %s and %s; which one?", option->name, before[at], value);
    before[at] = value;
    return again ? EXIT_COMMAND : EXIT_DONE;
}

/* What is given by the other commands of this kind, and here by --grid. */
static bool is_block(const char *name)
{
    static const char *const names[] = { "block",      "blocks",  "blockdim",
                                         "block-size", "threads", "blocksize" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Reports an unknown option, with the one that is meant if that is known. */
static int refuse_option(const OptionList *known, const char *text, const char *command)
{
    const char **names = must_alloc((known->count + 1) * sizeof *names), *meant;
    size_t count = 0, dashes = text[1] == '-' ? 2 : 1, length = strcspn(text, "=");
    char *name = must_strndup(text + dashes, length - dashes);

    for (size_t i = 0; i < known->count; i++)
        if (known->list[i]->name)
            names[count++] = known->list[i]->name;
    meant = nearest_name(name, names, count);
    if (dashes == 1 && meant && strcmp(meant, name) != 0)
        meant = NULL;
    bool grid = false, block = dashes == 2 && is_block(name);
    for (size_t i = 0; i < count; i++)
        grid |= strcmp(names[i], "grid") == 0;
    if (block && grid)
        complain("there is no option '%.*s'; --grid says both, blocks and threads of a block: "
                 "--grid 64x256",
                 (int)length, text);
    else if (meant)
        complain("there is no option '%.*s'; did you mean '--%s'?", (int)length, text, meant);
    else
        complain("there is no option '%.*s'; '%s --help' lists them", (int)length, text, command);
    free(names);
    free(name);
    return EXIT_COMMAND;
}

/* The value in an option's own argument, "--grid=4x4" or "-j2"; or NULL. */
static const char *value_within(const char *text)
{
    const char *equals = strchr(text, '=');

    if (text[1] != '-')
        return text[2] ? text + 2 : NULL;
    return equals ? equals + 1 : NULL;
}

/* Finds options that are misspelt, or given twice; `before` has an element for each option's
** value. */
static int check_options(const OptionList *known, int argc, char **argv, const char **before)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *text = argv[i];
        if (text[0] != '-' || !text[1])
            continue;
        const struct argp_option *option = option_of(known, text);
        const char *value = value_within(text);
        if (!option && refuse_option(known, text, argv[0]) != EXIT_DONE)
            return EXIT_COMMAND;
        if (option && option->arg && !(option->flags & OPTION_ARG_OPTIONAL) && !value)
            value = argv[++i]; /* a missing value is reported by argp */
        if (option && option->arg && value &&
            refuse_again(known, option, before, value) != EXIT_DONE)
            return EXIT_COMMAND;
    }
    return EXIT_DONE;
}

void options_parse(const struct argp *parser, int argc, char **argv, void *input)
{
    static const struct argp_option own[] = { { "help", '?', NULL, 0, NULL, 0 },
                                              { "usage", 0, NULL, 0, NULL, 0 },
                                              { 0 } };
    static const struct argp common = { .options = own };
    OptionList known = { 0 };

    list_options(&known, parser);
    list_options(&known, &common);
    const char **before = must_alloc(known.count * sizeof *before);
    memset(before, 0, known.count * sizeof *before);
    int status = check_options(&known, argc, argv, before);
    free(before);
    free(known.list);
    if (status != EXIT_DONE)
        exit(status);
    argp_parse(parser, argc, argv, 0, NULL, input);
}

int option_result(int status)
{
    if (status != EXIT_DONE)
        exit(status);
    return 0;
}

int option_set(const struct argp_option *options, int key, const char *text, void *input)
{
    while (options->key != key && options->name)
        options++;
    if (!options->name)
        return ARGP_ERR_UNKNOWN;
    void *field = (char *)input + key % OPTION_FIELD;
    switch (key / OPTION_FIELD) {
    case SETS_FLAG:
        *(bool *)field = true;
        return 0;
    case SETS_ONE:
        *(int *)field = 1;
        return 0;
    case SETS_TEXT:
        *(const char **)field = text;
        return 0;
    case SETS_PAIR: {
        char what[32];
        snprintf(what, sizeof what, "--%s", options->name);
        return option_result(pairs_add(field, text, what, options->arg));
    }
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- targets -------------------------------------------------------------------------------- */

static bool is_file(const char *text, size_t length)
{
    char *path = must_strndup(text, length);
    const bool is = access(path, F_OK) == 0;

    free(path);
    return is;
}

/* The colon between FILE and KERNEL: the first behind a file, else the last in front of a name;
** NULL: there is none. A file may have a colon in its name. */
static const char *colon_of(const char *text)
{
    const char *last = strrchr(text, ':');

    if (!strncmp(text, "std:", 4))
        return strchr(text + 4, ':');
    if (access(text, F_OK) == 0)
        return NULL;
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':'))
        if (at[1] && is_file(text, (size_t)(at - text)))
            return at;
    return last && name_length(last + 1) ? last : NULL;
}

Target target_parse(const char *text)
{
    const char *colon = colon_of(text);

    if (!colon)
        return (Target){ must_strndup(text, strlen(text)), NULL };
    return (Target){ must_strndup(text, (size_t)(colon - text)),
                     must_strndup(colon + 1, strlen(colon + 1)) };
}

int target_argument(Target *target, Pairs *values, const char *text)
{
    if (target->file)
        return pairs_add(values, text, "an argument", "NAME=VALUE");
    *target = target_parse(text);
    return EXIT_DONE;
}

bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

void target_free(Target *target)
{
    free(target->file);
    free(target->kernel);
    *target = (Target){ 0 };
}

/* ---- launch shapes -------------------------------------------------------------------------- */

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t");
}

static bool take(const char **at, char c)
{
    skip_blanks(at);
    if (**at != c)
        return false;
    ++*at;
    return true;
}

static bool take_extent(const char **at, uint32_t *extent)
{
    skip_blanks(at);
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    char *end;
    unsigned long value = strtoul(*at, &end, 10);
    *at = end;
    *extent = (uint32_t)value;
    return !errno && value > 0 && value <= UINT32_MAX;
}

/* `16` or `(16, 16)`, and with `open` the brackets may be missing. */
static bool take_shape(const char **at, bool open, uint32_t shape[3])
{
    bool bracket = take(at, '(');
    int axis = 0;
    do {
        if (bracket && axis && take(at, ')'))
            return true;
        if (axis == 3 || !take_extent(at, &shape[axis++]))
            return false;
    } while ((bracket || open) && take(at, ','));
    return !bracket || take(at, ')');
}

enum { GRID_TEXT = 96 };

static bool take_grid(const char *at, kjit_launch_config *config)
{
    bool bracket = take(&at, '[');
    if (!take_shape(&at, !bracket, config->grid) || !take(&at, bracket ? ',' : 'x') ||
        !take_shape(&at, !bracket, config->block) || (bracket && !take(&at, ']')))
        return false;
    skip_blanks(&at);
    return !*at;
}

/* The numbers in a malformed grid; 0 if there is anything but numbers and separators. */
static int grid_numbers(const char *text, uint32_t sizes[6])
{
    int count = 0;

    for (const char *at = text; *at;) {
        bool number = isdigit((unsigned char)*at);
        if (number && (count == 6 || !take_extent(&at, &sizes[count++])))
            return 0;
        if (!number && !strchr("()[]<>{},;:xX* \t", *at++))
            return 0;
    }
    return count;
}

/* What a malformed grid like `4,256` may mean, "4x256", and in numba's notation, "[4, 256]". False
** without an idea. */
static bool grid_meant(const char *text, char ours[GRID_TEXT], char numbas[GRID_TEXT])
{
    uint32_t sizes[6];
    int count = grid_numbers(text, sizes), axes = count / 2;
    const char *open = axes > 1 ? "[(" : "[", *between = axes > 1 ? "), (" : ", ";
    size_t our = 0, numba = 0;

    if (!count || count % 2)
        return false;
    for (int i = 0; i < count; i++) {
        our += (size_t)snprintf(ours + our, GRID_TEXT - our, "%s%u",
                                !i          ? ""
                                : i == axes ? "x"
                                            : ",",
                                sizes[i]);
        numba += (size_t)snprintf(numbas + numba, GRID_TEXT - numba, "%s%u",
                                  !i          ? open
                                  : i == axes ? between
                                              : ", ",
                                  sizes[i]);
    }
    snprintf(numbas + numba, GRID_TEXT - numba, axes > 1 ? ")]" : "]");
    return true;
}

int grid_parse(const char *text, kjit_launch_config *config)
{
    kjit_launch_config shape = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
    char ours[GRID_TEXT], numbas[GRID_TEXT], hint[3 * GRID_TEXT] = "";
    if (!take_grid(text, &shape)) {
        if (grid_meant(text, ours, numbas))
            snprintf(hint, sizeof hint, ": did you mean %s, which is numba's %s?", ours, numbas);
        return bad_usage(
            "--grid wants BLOCKSxTHREADS, as 64x256 or 16,16x32,8 or [(16, 16), (32, 8)], "
            "1 to 3 numbers a side, each at least 1 and at most 4294967295; not '%s'%s",
            text, hint);
    }
    memcpy(config->grid, shape.grid, sizeof shape.grid);
    memcpy(config->block, shape.block, sizeof shape.block);
    return EXIT_DONE;
}

int count_parse(const char *option, const char *text, uint64_t lowest, uint64_t highest,
                uint64_t *count)
{
    /* Underscores group digits, as in the language. */
    uint64_t value = 0;
    const char *at = text;
    bool fits = isdigit((unsigned char)*at);
    for (; isdigit((unsigned char)*at) || (*at == '_' && at > text); at++)
        if (*at != '_')
            fits = fits && !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
                   !__builtin_add_overflow(value, (uint64_t)(*at - '0'), &value);
    if (*at || !fits || value < lowest || value > highest)
        return bad_usage("%s wants a number from %llu to %llu, not '%s'", option,
                         (unsigned long long)lowest, (unsigned long long)highest, text);
    *count = value;
    return EXIT_DONE;
}

int number_parse(const char *option, const char *text, double most, double *number)
{
    char *end;

    *number = strtod(text, &end);
    if (end != text && !*end && *number >= 0 && *number <= most && isfinite(*number))
        return EXIT_DONE;
    if (isfinite(most))
        complain("%s %s: it takes a number from 0 to %.0f, as in 0.5", option, text, most);
    else
        complain("%s %s: it takes a number of at least 0", option, text);
    return EXIT_COMMAND;
}

/* ---- names ---------------------------------------------------------------------------------- */

enum { NAME_LONG = 63 };

/* Insertions, deletions and replacements that make `b` of `a`. */
static size_t edits(const char *a, const char *b)
{
    size_t row[NAME_LONG + 1], length = strlen(b);
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            row[j + 1] = diagonal + 1 < best ? diagonal + 1 : best;
        }
    }
    return row[length];
}

const char *nearest_name(const char *name, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(name), least = length / 3 + 2;
    for (size_t i = 0; i < count; i++)
        if (!strcasecmp(name, candidates[i]))
            return candidates[i];
    /* A single letter is similar to any other. */
    for (size_t i = 0; i < count && length > 1 && length <= NAME_LONG; i++) {
        size_t distance = strlen(candidates[i]) <= NAME_LONG ? edits(name, candidates[i]) : least;
        if (distance < least) {
            least = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
