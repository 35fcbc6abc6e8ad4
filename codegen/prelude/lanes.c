/* What lanes of a warp and threads of a block say to each other in the C dialect, where threads are
** loops: all values lie side by side. Pieces: see emit.h. */

/*@ all_done - */
/* Whether no thread of the block is left. */
$fn bool all_done(const unsigned char *done, int threads)
{
    return !memchr(done, 0, (size_t)threads);
}

/*@ is_there - */
/* Whether the block has thread t, and it has not ended. `done` may be NULL: none has. */
$fn bool is_there(long long t, const unsigned char *done, int threads)
{
    return t < threads && !(done && done[t]);
}

/*@ shuffle_from - : is_there.- */
/* Whose value thread t gets that asks for a lane's; its own if none is there. */
$fn long long shuffle_from(long long t, int lane, int threads, const unsigned char *done)
{
    long long source = (t & ~31) | (lane & 31);

    return is_there(source, done, threads) ? source : t;
}

/*@ shuffle_up - : is_there.- */
/* Whose value thread t gets that asks the lane `delta` below; its own if none is there. */
$fn long long shuffle_up(long long t, int delta, int threads, const unsigned char *done)
{
    long long source = t - (delta & 31);

    return t % 32 >= (delta & 31) && is_there(source, done, threads) ? source : t;
}

/*@ shuffle_down - : is_there.- */
/* Whose value thread t gets that asks the lane `delta` above; its own if none is there. */
$fn long long shuffle_down(long long t, int delta, int threads, const unsigned char *done)
{
    long long source = t + (delta & 31);

    return t % 32 + (delta & 31) < 32 && is_there(source, done, threads) ? source : t;
}

/*@ shuffle_xor - : is_there.- */
/* Whose value thread t gets that asks its lane with bits flipped; its own if none is there. */
$fn long long shuffle_xor(long long t, int bits, int threads, const unsigned char *done)
{
    long long source = t ^ (bits & 31);

    return is_there(source, done, threads) ? source : t;
}

/*@ shuffle_named - */
/* Thread t's source if its mask names that lane, else itself. */
$fn long long shuffle_named(long long source, long long t, unsigned int mask)
{
    return mask >> (source & 31) & 1 ? source : t;
}

/*@ Late - */
/* For each thread the lanes of its warp that are held up until it ends: it did not come to where
** they waited for it. */
typedef struct Late {
    bool any;
    unsigned int held[1024];
} Late;

/*@ hold_up - : Late.- */
/* The lanes of `group` have met, and wait for those among `named` that are `there` and not of the
** group, and with who is held up himself. False if a lane waits for what it holds up. */
$fn bool hold_up(unsigned int *held, unsigned int group, unsigned int named, unsigned int there)
{
    unsigned int before, after = 0, circle = 0;

    for (int i = 0; i < 32; i++)
        if ((there >> i & 1) && ((named & ~group) >> i & 1 || (held[i] & named)))
            held[i] |= group;
    do {
        before = after, after = 0;
        for (int i = 0; i < 32; i++) {
            for (int k = 0; (there >> i & 1) && k < 32; k++)
                held[i] |= held[i] >> k & 1 && there >> k & 1 ? held[k] : 0;
            after += (there >> i & 1) ? (unsigned int)__builtin_popcount(held[i]) : 0;
            circle |= held[i] & there & 1u << i;
        }
    } while (after != before);
    return !circle;
}

/*@ warp_meets - : hold_up.- */
/* Whether the lanes of a warp that come to one operation, `here`, meet there; each with its mask,
** or with one for all. What lanes_meet() returns. */
$fn int warp_meets(Late *late, int first, const unsigned int *masks, unsigned int mask,
                   unsigned int here, unsigned int there)
{
    for (unsigned int rest = here, group; rest; rest &= ~group) {
        const unsigned int named = masks ? masks[first + __builtin_ctz(rest)] : mask;
        group = masks ? 0 : rest;
        for (int i = 0; masks && i < 32; i++)
            group |= (unsigned int)((rest >> i & 1) && masks[first + i] == named) << i;
        if (group & ~named)
            return 4;
        if (!(named & there & ~group) && !late->any)
            continue;
        if (!late->any)
            memset(late->held, 0, sizeof late->held);
        late->any = true;
        if (!hold_up(&late->held[first], group, named, there))
            return 2;
    }
    return 0;
}

/*@ warp_flags - */
/* 32 flags, each 0 or 1, as bits. */
$fn unsigned int warp_flags(const unsigned char *flags)
{
    unsigned int bits = 0;

    for (int i = 0; i < 4; i++) {
        unsigned long long eight;
        memcpy(&eight, flags + 8 * i, 8);
        bits |= (unsigned int)(eight * 0x0102040810204080ull >> 56) << 8 * i;
    }
    return bits;
}

/*@ lanes_meet - : warp_meets.- warp_flags.- */
/* What the entry returns if the threads that come to a warp operation, all but those that `skip`
** it, cannot meet there: 2 if they wait for one another for ever, 4 if a mask does not name its
** lane. */
$fn int lanes_meet(Late *late, const unsigned int *masks, unsigned int mask,
                   const unsigned char *skip, const unsigned char *done, int threads)
{
    int status = 0;

    for (int first = 0; first < threads && !status; first += 32) {
        unsigned int last = ~0u >> (threads - first < 32 ? 32 - (threads - first) : 0);
        unsigned int there = last & ~(done ? warp_flags(done + first) : 0);
        unsigned int here = last & ~(skip ? warp_flags(skip + first) : ~there);
        status = warp_meets(late, first, masks, mask, here, there);
    }
    return status;
}

/*@ late_for_block - : Late.- is_there.- */
/* Whether threads wait for the block that hold up others of it. */
$fn bool late_for_block(const Late *late, const unsigned char *done, int threads)
{
    for (int t = 0; late->any && t < threads; t++)
        if (is_there(t, done, threads) && late->held[t])
            return true;
    return false;
}

/*@ write_bits i32 u32 i64 u64 f32 f64 */
/* A value's bits, and zeros behind them. */
$fn void write_bits_$S(unsigned long long *address, $T value)
{
    *address = 0;
    memcpy(address, &value, sizeof value);
}

/*@ match_any - : is_there.- */
/* The lanes of thread t's warp, among those of the mask that are there, that sent the same. */
$fn int match_any(const unsigned long long *sent, long long t, unsigned int mask, int threads,
                  const unsigned char *done)
{
    unsigned int same = 0;

    for (int lane = 0; lane < 32; lane++) {
        const long long other = (t & ~31ll) | lane;
        if ((mask >> lane & 1) && is_there(other, done, threads) && sent[other] == sent[t])
            same |= 1u << lane;
    }
    return (int)same;
}

/*@ Votes - */
/* The lanes of a warp that are there, and those of them that say yes. */
typedef struct Votes {
    unsigned int present, yes;
} Votes;

/*@ collect_votes - : Votes.- is_there.- */
$fn void collect_votes(Votes *warps, const unsigned char *votes, const unsigned char *done,
                       int threads)
{
    for (int first = 0; first < threads; first += 32) {
        Votes warp = { 0, 0 };
        for (int lane = 0; lane < 32; lane++) {
            if (!is_there(first + lane, done, threads))
                continue;
            warp.present |= 1u << lane;
            warp.yes |= (unsigned int)votes[first + lane] << lane;
        }
        warps[first / 32] = warp;
    }
}

/*@ vote_all - : Votes.- */
$fn bool vote_all(Votes warp, unsigned int mask)
{
    return (warp.yes & mask) == (warp.present & mask);
}

/*@ vote_any - : Votes.- */
$fn bool vote_any(Votes warp, unsigned int mask)
{
    return (warp.yes & mask) != 0;
}

/*@ vote_equal - : vote_all.- vote_any.- */
$fn bool vote_equal(Votes warp, unsigned int mask)
{
    return vote_all(warp, mask) || !vote_any(warp, mask);
}

/*@ vote_ballot - : Votes.- */
$fn int vote_ballot(Votes warp, unsigned int mask)
{
    return (int)(warp.yes & mask);
}

/*@ block_count - : is_there.- */
/* How many threads of the block say yes. */
$fn int block_count(const unsigned char *votes, const unsigned char *done, int threads)
{
    int count = 0;

    for (int t = 0; t < threads; t++)
        count += is_there(t, done, threads) && votes[t];
    return count;
}

/*@ block_or - : block_count.- */
$fn int block_or(const unsigned char *votes, const unsigned char *done, int threads)
{
    return block_count(votes, done, threads) > 0;
}

/*@ block_and - : is_there.- */
$fn int block_and(const unsigned char *votes, const unsigned char *done, int threads)
{
    for (int t = 0; t < threads; t++)
        if (is_there(t, done, threads) && !votes[t])
            return 0;
    return 1;
}
