/* The launches of a program, one way for all: of its kernels, and of what became of expressions of
** arrays. The observer is called for the first launch of each line. */
#include "runtime/many/group.h"
#include "runtime/program/kernels.h"

/* What is reported of a launch that an expression became. */
static void put_remark(Program *p, const HostWork *work, Buf *out)
{
    Diags diags;
    const bool elements = strcmp(kjit_kernel_name(work->kernel), "expression") == 0;
    diags_init(&diags, &p->scratch);
    diag_remark(&diags, p->at, "%d operation%s on the elements of %d array%s %s one kernel%s",
                work->operations, work->operations == 1 ? "" : "s", work->arrays,
                work->arrays == 1 ? "" : "s", work->operations == 1 ? "is" : "are",
                elements ? "" : ", with the reduction of what they give");
    if (work->apart)
        diag_note(&diags, p->at,
                  "it writes where it reads, so its elements are computed into an array of their "
                  "own and copied");
    diags_render(&diags, out);
}

/* Whether this line has launched this kernel before. */
static bool is_told(Program *p, const kjit_kernel *kernel)
{
    const char *key =
        arena_printf(&p->scratch, "%p %u", (const void *)kernel, (unsigned)p->at.begin);
    if (table_get(&p->noted, key))
        return true;
    table_put(&p->noted, arena_strdup(p->arena, key), p);
    return false;
}

static void tell(Program *p, const HostWork *work)
{
    if (!p->at.source || is_told(p, work->kernel))
        return;
    Buf remark = buf_in(&p->scratch);
    if (work->operations)
        put_remark(p, work, &remark);
    const char *text = p->at.source->text + p->at.begin;
    const kjit_program_launch launch = {
        .size = sizeof launch,
        .kernel = work->kernel,
        .config = work->config,
        .args = work->args,
        .count = work->count,
        .file = p->at.source->name,
        .line = source_place(p->at.source, p->at.begin).line,
        .statement = arena_strndup(&p->scratch, text, strcspn(text, "\n")),
        .remark = buf_text(&remark),
    };
    p->options->launched(p->options->launched_context, &launch);
}

/* Reports what concerns no launch. */
static void tell_remark(Program *p, const Diags *diags)
{
    Buf remark = buf_in(&p->scratch);
    diags_render(diags, &remark);
    const kjit_program_launch launch = { .size = sizeof launch,
                                         .file = p->at.source->name,
                                         .line = source_place(p->at.source, p->at.begin).line,
                                         .statement = "",
                                         .remark = buf_text(&remark) };
    p->options->launched(p->options->launched_context, &launch);
}

void launches_interpreted(Program *p, const AstFunction *function, const AstStmt *loop,
                          const char *why)
{
    Diags diags;
    if (!p->options->launched || !p->at.source)
        return;
    diags_init(&diags, &p->scratch);
    diag_remark(&diags, loop ? loop->span : function->name_span, "%s%s() is interpreted%s",
                loop ? "this loop of " : "", function->name,
                loop ? "" : ", but for those of its loops that can be compiled");
    diag_note(&diags, loop ? loop->span : function->name_span, "%.*s", (int)strcspn(why, "\n"),
              why);
    tell_remark(p, &diags);
}

void launches_repeat(Program *p, size_t period, size_t nodes)
{
    Diags diags;
    if (!p->options->launched || !p->at.source)
        return;
    diags_init(&diags, &p->scratch);
    diag_remark(&diags, p->at,
                "%zu launch%s, the last of which is here, come%s again and again, and nothing "
                "looks between: a CUDA graph of %zu launches replays them",
                period, period == 1 ? "" : "es", period == 1 ? "s" : "", nodes);
    tell_remark(p, &diags);
}

/* Over the ranks of the program's group. What cannot be split rank 0 does, which is reported once
** for each kernel. */
static kjit_status launch_split(Program *p, const HostWork *work)
{
    const char *why = NULL;
    KJIT_TRY(group_launch_any(p->group, work->kernel, work->config, work->args, work->count, &why));
    const char *key =
        why ? arena_printf(&p->scratch, "split %p", (const void *)work->kernel) : NULL;
    if (!why || work->operations || table_get(&p->noted, key))
        return KJIT_OK;
    table_put(&p->noted, arena_strdup(p->arena, key), p);
    fflush(stdout);
    fprintf(stderr, "%s\nnote: rank 0 alone carries it out\n", why);
    return KJIT_OK;
}

kjit_status program_launch(Program *p, const HostWork *work)
{
    if (p->group)
        return launch_split(p, work);
    kjit_status status = p->profile ? profile_launch(p, work)
                         : repeats_start(p)
                             ? repeats_launch(p, work)
                             : kjit_launch(work->kernel, work->config, work->args, work->count);
    if (status == KJIT_OK && p->options->launched)
        tell(p, work);
    return status;
}
