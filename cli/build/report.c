/* `kjit build --report FILE.html`: the stages of one kernel beside each other, from the source to
** machine code, with the lines of each that are of one line of the source. */
#include "cli/build/report.h"

#include "cli/page/page.h"

static const char page[] =
#include "cli/build/report.html.inc"
    ;

/* The architecture of the machine code unless --arch gives one. */
static const char ARCH[] = "sm_90";

static json_t *stage_value(const char *name, const char *text)
{
    return json_pack("{s:s,s:o}", "name", name, "text", page_text(text));
}

static int add_source(json_t *stages, const Target *target)
{
    char *text = text_read(target->file);
    if (!text)
        return EXIT_FAILED;
    json_array_append_new(stages, stage_value("source", text));
    free(text);
    return EXIT_DONE;
}

/* A stage that other programs make is left out with the reason, if they are not there. */
static int add_stage(json_t *stages, const Target *target, EmitRequest *request, char **kernel)
{
    Emissions emissions = { 0 };
    char *why = NULL;
    bool by_others = !strcmp(request->stage->name, "ptx") || !strcmp(request->stage->name, "sass");

    request->why = by_others ? &why : NULL;
    int status = stage_emit(target, request, &emissions);
    if (why) {
        json_array_append_new(
            stages, json_pack("{s:s,s:o}", "name", request->stage->name, "why", page_text(why)));
        status = EXIT_DONE;
    } else if (status == EXIT_DONE && emissions.count > 1) {
        complain("--report shows one kernel, and %s has %zu: name it, as %s:%s", target->file,
                 emissions.count, target->file, emissions.list[0].kernel);
        status = EXIT_COMMAND;
    } else if (status == EXIT_DONE) {
        json_array_append_new(stages, stage_value(request->stage->name, emissions.list[0].data));
        if (!*kernel && emissions.list[0].kernel)
            *kernel = must_strndup(emissions.list[0].kernel, strlen(emissions.list[0].kernel));
    }
    free(why);
    emissions_free(&emissions);
    return status;
}

int report_build(const Target *target, EmitRequest request, const char *path)
{
    static const char *const gpu[] = { "remarks", "schedule", "estimate", "ir-full",
                                       "cuda",    "ptx",      "sass",     NULL };
    static const char *const processor[] = { "remarks", "schedule", "ir-full", "c", NULL };
    const char *arch = request.arch ? request.arch : ARCH;
    const char *const *names = strncmp(arch, "cpu", 3) ? gpu : processor;
    json_t *stages = json_array();
    char *kernel = NULL;

    request.facts = request.facts ? request.facts : "launch";
    int status = add_source(stages, target);
    for (; *names && status == EXIT_DONE; names++) {
        EmitRequest one = request;
        one.stage = stage_find(*names);
        one.arch = strcmp(*names, "c") ? arch : NULL; /* which is for the processor anyway */
        if (!strcmp(*names, "ptx") || !strcmp(*names, "sass"))
            one.session.compiler_options = "-lineinfo";
        status = add_stage(stages, target, &one, &kernel);
    }
    json_t *data =
        json_pack("{s:o,s:o,s:s,s:o}", "file", page_text(target->file), "kernel",
                  page_text(kernel ? kernel : target->file), "arch", arch, "stages", stages);
    if (status == EXIT_DONE && !page_save(page, data, path))
        status = EXIT_FAILED;
    json_decref(data);
    free(kernel);
    return status;
}
