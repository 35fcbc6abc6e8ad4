/* Lists the allowed configurations in lexicographic order, counts what excludes the others, and
** reports progress. */
#include <math.h>

#include "cli/measure/text.h"
#include "cli/tune/child.h"

enum { SHAPE = 3 }; /* numbers of a launch's shape: the block's x, its threads, the blocks */

typedef struct Listing {
    Child *child;
    size_t params, count, capacity;
    struct Row {
        double shape[SHAPE];
        uint32_t *config;
    } * rows;
    json_t *reasons;              /* how many configurations each excludes */
    double restricted, too_large; /* excluded by restrictions, by the device */
    bool too_many;
} Listing;

static int add_row(void *context, const uint32_t *config, const kjit_launch_config *shape)
{
    Listing *listing = context;
    double threads = 1, blocks = 1;
    listing->too_many = listing->count == SPACE_MOST;
    if (listing->too_many)
        return 1;
    if (listing->count == listing->capacity) {
        listing->capacity = listing->capacity ? 2 * listing->capacity : 256;
        listing->rows = must_grow(listing->rows, listing->capacity * sizeof *listing->rows);
    }
    for (int axis = 0; axis < 3; axis++) {
        threads *= shape->block[axis] ? shape->block[axis] : 1;
        blocks *= shape->grid[axis] ? shape->grid[axis] : 1;
    }
    struct Row *row = &listing->rows[listing->count++];
    *row = (struct Row){ { shape->block[0], threads, fmin(blocks, 0x1p53) }, NULL };
    row->config = must_alloc((listing->params + 1) * sizeof *row->config);
    memcpy(row->config, config, listing->params * sizeof *row->config);
    return 0;
}

static void add_reason(void *context, double count, const char *why, int by_device)
{
    Listing *listing = context;
    char *key = must_strndup(why, strlen(why));
    text_make_utf8(key); /* it may be truncated inside a character */
    double before = json_number_value(json_object_get(listing->reasons, key));
    json_object_set_new(listing->reasons, key, json_real(before + count));
    free(key);
    listing->restricted += by_device ? 0 : count;
    listing->too_large += by_device ? count : 0;
}

static void tell_progress(void *context, double count, double of)
{
    const Listing *listing = context;
    child_say(listing->child, json_pack("{s:s,s:f,s:f,s:I}", "say", "listing", "count", count, "of",
                                        of, "allowed", (json_int_t)listing->count));
}

/* ---- an empty space -------------------------------------------------------------------------- */

typedef struct Reason {
    const char *why;
    double count;
} Reason;

static int compare_reasons(const void *a, const void *b)
{
    const Reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->why, y->why);
}

/* Reports how many configurations each reason excludes, most first. */
static int nothing_left(const Listing *listing)
{
    enum { TOLD_MOST = 5 };
    double all = listing->restricted + listing->too_large, others = 0;
    size_t count = 0;
    Reason *list = must_alloc((json_object_size(listing->reasons) + 1) * sizeof *list);
    const char *why;
    json_t *number;
    json_object_foreach(listing->reasons, why, number)
    {
        list[count++] = (Reason){ why, json_number_value(number) };
    }
    qsort(list, count, sizeof *list, compare_reasons);
    complain("none of %.0f configuration%s is allowed:", all, all > 1 ? "s" : "");
    for (size_t i = 0; i < count; i++) {
        if (i < TOLD_MOST)
            fprintf(stderr, "    of %.0f: %s\n", list[i].count, list[i].why);
        else
            others += list[i].count;
    }
    if (others > 0)
        fprintf(stderr, "    of %.0f: other reasons of the kind\n", others);
    fprintf(stderr, "note: give the parameters other values in @tune or with -T NAME=[VALUES], or "
                    "another restrict=, or arguments that it suits\n");
    free(list);
    return EXIT_COMMAND;
}

/* ---- the message ----------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b, void *context)
{
    const Listing *listing = context;
    const uint32_t *x = ((const struct Row *)a)->config, *y = ((const struct Row *)b)->config;
    for (size_t i = 0; i < listing->params; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void add_rows(const Listing *listing, json_t *message)
{
    json_t *configs = json_array(), *shapes = json_array();
    for (size_t i = 0; i < listing->count; i++) {
        const struct Row *row = &listing->rows[i];
        for (size_t k = 0; k < listing->params; k++)
            json_array_append_new(configs, json_integer(row->config[k]));
        for (size_t k = 0; k < SHAPE && !listing->child->quiet; k++)
            json_array_append_new(shapes, json_integer((json_int_t)row->shape[k]));
    }
    json_object_set_new(message, "configs", configs);
    json_object_set_new(message, "shapes", shapes);
    json_object_set_new(message, "restricted", json_real(listing->restricted));
    json_object_set_new(message, "too_large", json_real(listing->too_large));
}

static int too_many(void)
{
    return bad_usage(
        "more than %d configurations are allowed: give parameters fewer values, or say with "
        "restrict= which go together",
        SPACE_MOST);
}

int child_configs(Child *child, json_t *message)
{
    Listing listing = { .child = child,
                        .params = kjit_space_param_count(child->space),
                        .reasons = json_object() };
    const kjit_space_visitor visitor = { .size = sizeof visitor,
                                         .context = &listing,
                                         .allowed = add_row,
                                         .excluded = add_reason,
                                         .progress = tell_progress };
    kjit_status status = kjit_space_visit(child->space, child->args, child->count, &visitor);
    int done = status != KJIT_OK  ? complain_status(status)
               : listing.too_many ? too_many()
               : listing.count    ? EXIT_DONE
                                  : nothing_left(&listing);
    if (done == EXIT_DONE) {
        qsort_r(listing.rows, listing.count, sizeof *listing.rows, compare_rows, &listing);
        add_rows(&listing, message);
    }
    for (size_t i = 0; i < listing.count; i++)
        free(listing.rows[i].config);
    free(listing.rows);
    json_decref(listing.reasons);
    return done;
}
