/* What threads tell one another where they meet: shuffles and votes of a warp, counts of a block.
**
** In a split kernel the stretch before a meeting ends with each thread storing its operand, and the
** stretch after it begins with each thread loading its result. Two buffers alternate, since one
** stretch may both read of the last meeting and write for the next. In a resumable thread the
** scheduler works out every thread's answer when it opens the gate. */
#include "codegen/emit/threads/threads.h"

const IrValue *meet_value(const IrStmt *stmt)
{
    const IrValue *value = ir_stmt_value(stmt);
    bool meets = value && value->op == OP_intrinsic &&
                 (ir_intrinsics[value->intrinsic].effect & EFFECT_SYNC);
    return meets ? value : NULL;
}

typedef enum MeetKind { MEET_SHUFFLE, MEET_VOTE, MEET_COUNT, MEET_MATCH } MeetKind;

/* What threads exchange where they meet; what the prelude calls a shuffle's source, a vote's or a
** count's result, and what a resumable thread asks for it. */
typedef struct Meeting {
    IrIntrinsic intrinsic;
    MeetKind kind;
    const char *name, *question;
} Meeting;

static const Meeting meetings[] = {
    { INTR_shfl_sync, MEET_SHUFFLE, "shuffle_from", "ASK_FROM" },
    { INTR_shfl_up_sync, MEET_SHUFFLE, "shuffle_up", "ASK_UP" },
    { INTR_shfl_down_sync, MEET_SHUFFLE, "shuffle_down", "ASK_DOWN" },
    { INTR_shfl_xor_sync, MEET_SHUFFLE, "shuffle_xor", "ASK_XOR" },
    { INTR_all_sync, MEET_VOTE, "vote_all", "ASK_ALL" },
    { INTR_any_sync, MEET_VOTE, "vote_any", "ASK_ANY" },
    { INTR_eq_sync, MEET_VOTE, "vote_equal", "ASK_EQUAL" },
    { INTR_ballot_sync, MEET_VOTE, "vote_ballot", "ASK_BALLOT" },
    { INTR_activemask, MEET_VOTE, "vote_ballot", "ASK_ACTIVE" }, /* who is there stored true */
    { INTR_syncthreads_count, MEET_COUNT, "block_count", "ASK_COUNT" },
    { INTR_syncthreads_and, MEET_COUNT, "block_and", "ASK_AND" },
    { INTR_syncthreads_or, MEET_COUNT, "block_or", "ASK_OR" },
    { INTR_match_any_sync, MEET_MATCH, "match_any", "ASK_MATCH" },
};

/* NULL: threads but wait for one another. */
static const Meeting *meeting_of(const IrValue *meet)
{
    for (size_t i = 0; i < ARRAY_COUNT(meetings); i++)
        if (meetings[i].intrinsic == meet->intrinsic)
            return &meetings[i];
    return NULL;
}

static bool is_kind(const IrValue *meet, MeetKind kind)
{
    const Meeting *meeting = meeting_of(meet);
    return meeting && meeting->kind == kind;
}

bool meet_is_match(const IrValue *meet)
{
    return is_kind(meet, MEET_MATCH);
}

bool meet_is_shuffle(const IrValue *meet)
{
    return is_kind(meet, MEET_SHUFFLE);
}

bool meet_is_vote(const IrValue *meet)
{
    return is_kind(meet, MEET_VOTE);
}

bool meet_is_count(const IrValue *meet)
{
    return is_kind(meet, MEET_COUNT);
}

/* `value` as 0 or 1. */
static const char *truth_text(Emitter *e, const IrValue *value)
{
    if (value->type == type_bool)
        return value_text(e, value, PREC_ARGUMENT);
    return arena_printf(e->arena, "%s != 0", value_text(e, value, PREC_EQUALITY));
}

static const char *predicate_text(Emitter *e, const IrValue *meet)
{
    return truth_text(e, meet->operands[meet_is_count(meet) ? 0 : 1]);
}

/* ---- in a split kernel ----------------------------------------------------------------- */

/* The threads of the block that do not take part in what happens in a part. */
static const char *done_text(const Threads *th, const Part *part)
{
    if (part->guard)
        return arena_printf(th->e->arena, "%s->%s[%d]", th->w, th->skips, part->guard - 1);
    return th->needs_done ? arena_printf(th->e->arena, "%s->%s", th->w, th->done) : "0";
}

/* The buffer of a shuffle's values. */
static const char *buffer_text(Threads *th, const IrValue *meet, int slot)
{
    return arena_printf(th->e->arena, "((%s *)%s->%s[%d])", type_text(th->e, meet->type), th->w,
                        th->sent, slot % 2);
}

/* Where the masks of a meeting are kept: those that stay what they are for its view. */
static const char *masks_text(Threads *th, const IrStmt *stmt)
{
    return arena_printf(th->e->arena, "%s->%s[%d]", th->w, th->masks, split_look(th, stmt)->view);
}

/* The mask of the thread. */
static const char *mask_text(Threads *th, const IrStmt *stmt)
{
    const Part *look = split_look(th, stmt);
    return look && look->mask ? arena_printf(th->e->arena, "%s[%s]", masks_text(th, stmt), th->t)
                              : value_text(th->e, meet_value(stmt)->operands[0], PREC_ARGUMENT);
}

void meet_send(Threads *th, const Step *step)
{
    Emitter *e = th->e;
    const IrValue *meet = meet_value(step->stmt), *mask = split_divergent_mask(step->stmt);
    if (mask && !split_look(th, step->stmt)->mask)
        line(e, "%s[%s] = %s;", masks_text(th, step->stmt), th->t,
             value_text(e, mask, PREC_ARGUMENT));
    if (step->stmt->kind != IR_SET || meet->intrinsic == INTR_syncwarp)
        return;
    if (meet_is_shuffle(meet))
        line(e, "%s[%s] = %s;", buffer_text(th, meet, step->slot), th->t,
             value_text(e, meet->operands[1], PREC_ARGUMENT));
    else if (meet_is_match(meet))
        line(e, "%s(&%s->%s[%d][%s], %s);", prelude(e, "write_bits", meet->operands[1]->type),
             th->w, th->sent, step->slot % 2, th->t,
             value_text(e, meet->operands[1], PREC_ARGUMENT));
    else
        line(e, "%s->%s[%s] = %s;", th->w, th->votes, th->t, predicate_text(e, meet));
}

static const char *total_text(Threads *th, const Part *part, const IrValue *meet)
{
    return arena_printf(th->e->arena, "%s(%s->%s, %s, %s)",
                        prelude(th->e, meeting_of(meet)->name, NULL), th->w, th->votes,
                        done_text(th, part), th->threads);
}

/* Whether all lanes that are to meet do. Once some lane holds others up, each meeting is
** checked. */
static void look_at_masks(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    const IrValue *meet = meet_value(part->stmt);
    const char *late = arena_printf(e->arena, "%s->%s", th->w, th->late);
    const char *done = th->needs_done ? arena_printf(e->arena, "%s->%s", th->w, th->done) : "NULL";
    if (ir_intrinsics[meet->intrinsic].effect & EFFECT_BLOCK_SYNC) {
        line(e, "if (%s(&%s, %s, %s))", prelude(e, "late_for_block", NULL), late, done,
             th->threads);
        line(e, "    return 2;");
        return;
    }
    const IrValue *varying = split_divergent_mask(part->stmt);
    const char *mask = varying ? "0"
                       : meet->intrinsic == INTR_activemask
                           ? "-1u"
                           : value_text(e, meet->operands[0], PREC_ARGUMENT);
    const char *looks =
        part->view    ? arena_printf(e->arena, "!%s->%s[%d] || ", th->w, th->seen, part->view - 1)
        : part->looks ? "true || "
                      : "";
    open_block(e, "if (%s%s.any)", looks, late);
    if (part->mask) {
        threads_of_block(e, false);
        threads_open(th, true, true);
        line(e, "%s[%s] = %s;", masks_text(th, part->stmt), th->t,
             value_text(e, part->mask, PREC_ARGUMENT));
        close_block(e, "");
        threads_of_block(e, true);
    }
    line(e, "const int status = %s(&%s, %s, %s, %s, %s, %s);", prelude(e, "lanes_meet", NULL), late,
         varying ? masks_text(th, part->stmt) : "NULL", mask,
         part->guard ? done_text(th, part) : "NULL", done, th->threads);
    line(e, "if (status)");
    line(e, "    return status;");
    if (part->view)
        line(e, "%s->%s[%d] = true;", th->w, th->seen, part->view - 1);
    close_block(e, "");
}

void meet_between(Threads *th, const Part *part)
{
    Emitter *e = th->e;
    const IrValue *meet = meet_value(part->stmt);
    if (th->needs_late)
        look_at_masks(th, part);
    if (part->stmt->kind != IR_SET)
        return;
    if (meet_is_vote(meet)) {
        line(e, "%s(%s->%s, %s->%s, %s, %s);", prelude(e, "collect_votes", NULL), th->w, th->warps,
             th->w, th->votes, done_text(th, part), th->threads);
    } else if (meet_is_count(meet)) {
        const IrVar *var = part->stmt->set.var;
        if (th->block[var->id])
            threads_assign(th, part->stmt, var, total_text(th, part, meet));
        else
            line(e, "const int %s = %s;", th->totals[part->slot], total_text(th, part, meet));
    }
}

/* Whose value a thread gets. */
static const char *source_text(Threads *th, const IrStmt *stmt)
{
    Emitter *e = th->e;
    const IrValue *meet = meet_value(stmt);
    const char *source = arena_printf(
        e->arena, "%s(%s, %s, %s, %s)", prelude(e, meeting_of(meet)->name, NULL), th->t,
        value_text(e, meet->operands[2], PREC_ARGUMENT), th->threads, done_text(th, th->at));
    return split_names_all(stmt)
               ? source
               : arena_printf(e->arena, "%s(%s, %s, %s)", prelude(e, "shuffle_named", NULL), source,
                              th->t, mask_text(th, stmt));
}

void meet_receive(Threads *th, const Step *step)
{
    Emitter *e = th->e;
    const IrValue *meet = meet_value(step->stmt);
    const char *text;
    if (meet_is_shuffle(meet))
        text = arena_printf(e->arena, "%s[%s]", buffer_text(th, meet, step->slot),
                            source_text(th, step->stmt));
    else if (meet_is_match(meet))
        text = arena_printf(e->arena, "%s(%s->%s[%d], %s, %s, %s, %s)",
                            prelude(e, "match_any", NULL), th->w, th->sent, step->slot % 2, th->t,
                            mask_text(th, step->stmt), th->threads, done_text(th, th->at));
    else if (meet_is_vote(meet))
        text = arena_printf(e->arena, "%s(%s->%s[%s / 32], %s)",
                            prelude(e, meeting_of(meet)->name, NULL), th->w, th->warps, th->t,
                            mask_text(th, step->stmt));
    else
        text = th->totals[step->slot];
    threads_assign(th, step->stmt, step->stmt->set.var, text);
}

/* ---- in a resumable thread --------------------------------------------------------------- */

/* What lanes that meet must agree on beside the operation and its mask: how many bytes they
** exchange, and where in the source an activemask() stands, wherever passes moved it. */
static int meet_of(Threads *th, const IrValue *meet)
{
    if (meet_is_shuffle(meet) || meet_is_match(meet))
        return (int)type_size(meet->operands[1]->type);
    if (meet->intrinsic != INTR_activemask)
        return 0;
    for (int i = 0; i < th->asking_count; i++)
        if (th->asking[i].source == meet->span.source && th->asking[i].begin == meet->span.begin &&
            th->asking[i].end == meet->span.end)
            return i;
    array_push(th->e->arena, th->asking, th->asking_count, th->asking_capacity) = meet->span;
    return th->asking_count - 1;
}

void meet_resume(Threads *th, const IrStmt *stmt, int number)
{
    Emitter *e = th->e;
    const IrValue *meet = meet_value(stmt);
    bool warp = ir_intrinsics[meet->intrinsic].effect & EFFECT_WARP_SYNC;
    const Meeting *meeting = meeting_of(meet);
    const char *type = type_text(e, meet->type), *lane = th->lane,
               *ask = meeting ? meeting->question : "ASK_NOTHING";
    const char *mask = warp ? value_text(e, meet->operands[0], PREC_ARGUMENT) : NULL;
    if (meet_is_shuffle(meet))
        line(e, "*(%s *)&%s->said = %s;", type, lane,
             value_text(e, meet->operands[1], PREC_ARGUMENT));
    else if (meet_is_match(meet))
        line(e, "%s(&%s->said, %s);", prelude(e, "write_bits", meet->operands[1]->type), lane,
             value_text(e, meet->operands[1], PREC_ARGUMENT));
    else if (meet_is_vote(meet) || meet_is_count(meet))
        line(e, "%s->said = %s;", lane, predicate_text(e, meet));
    if (warp)
        line(e, "%s(%s, %d, %s, %d, %s, %s);", prelude(e, "WAIT_FOR_WARP", NULL), lane, number, ask,
             meet_of(th, meet), mask,
             meet_is_shuffle(meet) ? value_text(e, meet->operands[2], PREC_ARGUMENT) : "0");
    else if (meet->intrinsic == INTR_grid_sync)
        line(e, "%s(%s, %d);", prelude(e, "WAIT_FOR_GRID", NULL), lane, number);
    else
        line(e, "%s(%s, %d, %s);", prelude(e, "WAIT_FOR_BLOCK", NULL), lane, number, ask);
    if (stmt->kind == IR_SET && meet_is_shuffle(meet))
        line(e, "%s = *(const %s *)&%s->heard;", var_text(e, stmt->set.var), type, lane);
    else if (stmt->kind == IR_SET)
        line(e, "%s = (%s)%s->heard;", var_text(e, stmt->set.var), type, lane);
}
