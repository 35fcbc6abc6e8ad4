/* The checker's findings as JSON, and as SARIF 2.1.0 ("Static Analysis Results Interchange Format",
** OASIS Standard, 27 March 2020), which code hosts show beside the lines. */
#include <jansson.h>

#include "cli/cli.h"

static json_t *index3(const uint32_t index[3])
{
    return json_pack("[I,I,I]", (json_int_t)index[0], (json_int_t)index[1], (json_int_t)index[2]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *place_value(const kjit_check_place *place)
{
    if (!place->file)
        return json_null();
    return json_pack("{s:s,s:I,s:I,s:I,s:I,s:s,s:o,s:o}", "file", place->file, "line",
                     (json_int_t)place->line, "column", (json_int_t)place->column, "end_line",
                     (json_int_t)place->end_line, "end_column", (json_int_t)place->end_column,
                     "what", place->what, "block",
                     place->known ? index3(place->block) : json_null(), "thread",
                     place->known ? index3(place->thread) : json_null());
}

static json_t *finding_value(const kjit_check_finding *finding)
{
    return json_pack("{s:s,s:b,s:s,s:s,s:s,s:I,s:o,s:o}", "rule", finding->rule, "advice",
                     finding->advice, "message", finding->message, "note", finding->note, "element",
                     finding->element, "times", (json_int_t)finding->times, "at",
                     place_value(&finding->at), "other", place_value(&finding->other));
}

static json_t *checked_value(const Checked *checked)
{
    json_t *findings = json_array();
    for (size_t i = 0; i < checked->count; i++)
        json_array_append_new(findings, finding_value(&checked->list[i]));
    return json_pack("{s:s,s:s,s:I,s:o}", "file", checked->file, "kernel",
                     kjit_kernel_name(checked->kernel), "rehearsed", (json_int_t)checked->rehearsed,
                     "findings", findings);
}

int json_checked(FILE *out, const CheckedList *checked)
{
    json_t *kernels = json_array();
    for (size_t i = 0; i < checked->count; i++)
        json_array_append_new(kernels, checked_value(&checked->list[i]));
    return json_print(out, json_pack("{s:o,s:I,s:b}", "kernels", kernels, "passed_over",
                                     (json_int_t)checked->passed_over, "interrupted",
                                     checked->interrupted));
}

/* ---- SARIF ---------------------------------------------------------------------------------- */

static json_t *rules_value(void)
{
    json_t *rules = json_array();
    kjit_check_rule rule = { .size = sizeof rule };
    for (size_t i = 0; kjit_check_rule_at(i, &rule); i++)
        json_array_append_new(rules, json_pack("{s:s,s:{s:s},s:{s:s}}", "id", rule.name,
                                               "shortDescription", "text", rule.about,
                                               "defaultConfiguration", "level",
                                               rule.advice ? "note" : "error"));
    return rules;
}

static size_t rule_index(const char *name)
{
    kjit_check_rule rule = { .size = sizeof rule };
    size_t i = 0;
    while (kjit_check_rule_at(i, &rule) && strcmp(rule.name, name) != 0)
        i++;
    return i;
}

/* A path as a URI, percent-encoded. */
static char *uri_of(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    char *uri = must_alloc(3 * strlen(path) + 8), *to = uri;
    if (*path == '/')
        to += sprintf(to, "file://");
    for (; *path; path++)
        to += sprintf(to, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    return uri;
}

static json_t *location_value(const kjit_check_place *place, const char *message)
{
    char *uri = uri_of(place->file);
    json_t *location = json_pack(
        "{s:{s:{s:s},s:{s:I,s:I,s:I,s:I}}}", "physicalLocation", "artifactLocation", "uri", uri,
        "region", "startLine", (json_int_t)place->line, "startColumn", (json_int_t)place->column,
        "endLine", (json_int_t)place->end_line, "endColumn", (json_int_t)place->end_column);
    if (message)
        json_object_set_new(location, "message", json_pack("{s:s}", "text", message));
    free(uri);
    return location;
}

/* "thread (1, 0, 0) of block (0, 0, 0) reads x[3]" */
static void describe_place(char *text, size_t size, const kjit_check_place *place,
                           const char *element)
{
    const uint32_t *b = place->block, *t = place->thread;
    int used = place->known ? snprintf(text, size, "thread (%u, %u, %u) of block (%u, %u, %u)",
                                       t[0], t[1], t[2], b[0], b[1], b[2])
                            : snprintf(text, size, "a thread");
    snprintf(text + used, size - (size_t)used, " %s%s%s", place->what, *element ? " " : "",
             element);
}

static json_t *result_value(const Checked *checked, const kjit_check_finding *finding)
{
    char text[512];
    json_t *locations = json_array(), *related = json_array();
    json_t *result =
        json_pack("{s:s,s:I,s:s,s:{s:s},s:o,s:o,s:{s:s,s:I}}", "ruleId", finding->rule, "ruleIndex",
                  (json_int_t)rule_index(finding->rule), "level",
                  finding->advice ? "note" : "error", "message", "text", finding->message,
                  "locations", locations, "relatedLocations", related, "properties", "kernel",
                  kjit_kernel_name(checked->kernel), "times", (json_int_t)finding->times);
    if (finding->at.file)
        json_array_append_new(locations, location_value(&finding->at, NULL));
    const kjit_check_place *const places[] = { &finding->at, &finding->other };
    for (size_t i = 0; i < 2; i++) {
        if (!places[i]->file)
            continue;
        describe_place(text, sizeof text, places[i], finding->element);
        json_array_append_new(related, location_value(places[i], text));
    }
    return result;
}

static json_t *log_value(const CheckedList *checked)
{
    json_t *results = json_array();
    for (size_t i = 0; i < checked->count; i++)
        for (size_t k = 0; k < checked->list[i].count; k++)
            json_array_append_new(results,
                                  result_value(&checked->list[i], &checked->list[i].list[k]));
    return json_pack(
        "{s:s,s:s,s:[{s:{s:{s:s,s:s,s:s,s:o}},s:s,s:o}]}", "$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
        "version", "2.1.0", "runs", "tool", "driver", "name", "kjit check", "version",
        kjit_version(), "semanticVersion", kjit_version(), "rules", rules_value(), "columnKind",
        "unicodeCodePoints", "results", results);
}

int sarif_checked(const char *path, const CheckedList *checked)
{
    Draft out;
    draft_open(&out);
    int status = json_print(out.file, log_value(checked));
    if (status == EXIT_DONE)
        return draft_close(&out, NULL, path) ? EXIT_DONE : EXIT_FAILED;
    draft_drop(&out);
    return status;
}
