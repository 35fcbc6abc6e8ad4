/* Shadow memory: the accesses it records of each byte, and the race check of an access.
**
** The 16 bytes of shadow of each byte are two records; an aligned word of four has eight. Most
** words are only accessed as a whole. Then they are
**
**     [0] the last write   [1..3] accesses since, from the front: reads, or atomic operations
**
** with a mark (MARK_ALL and so on) for reads that need no record any more, which a kernel need not
** report either. When part of a word is accessed it is split for good (REC_BYTES): [2i] is the last
** write of byte i, and [2i + 1] one access since. Longer accesses are several words.
**
** An access is compared with these records: a pair of which one writes, not both are atomic, and
** which nothing orders, is a race. This is FastTrack (Flanagan and Freund, PLDI 2009) with a few
** reads instead of a clock for each thread. A read replaces one that happens before it: whatever is
** after the new one is after the old. Of unordered reads two from different warps, or blocks,
** suffice: a later write cannot be after both without a barrier, which orders it after all reads.
** Races can be missed thus, but not invented:
**   - a write that a fence and an atomic operation order after the accesses that are kept, but not
**     after one that was dropped;
**   - a write that a syncwarp of some lanes orders after two reads of theirs, but not after another
**     lane's;
**   - in words that are split, a write after the one access kept of a byte, but not after another;
**   - a write that a volatile load comes before: these are compared, and not recorded;
**   - an atomic operation that more than three others followed, and a plain read in one of these
**     threads: the last four are kept;
**   - memory of which a part was written, where the whole is read at once: records have holes. */
#include "runtime/check/run.h"

enum { KEPT = 3, GRANULE = 256 }; /* GRANULE: as in host_wrote() */

/* What is wrong with an access. */
typedef struct Conflict {
    uint64_t record;   /* of the other access; 0: none */
    bool read;         /* which only read */
    bool written;      /* part of the memory has been written */
    const void *begin; /* of the access */
} Conflict;

void shadow_split(uint64_t *first)
{
    if (*first & REC_BYTES)
        return;
    uint64_t write = *first, others[3];
    for (int k = 0; k < 3; k++)
        others[k] = *shadow_plane(first, 1 + k);
    for (int i = 0; i < 4; i++) {
        *shadow_plane(first, 2 * i) = write;
        /* Each record is of an access to all bytes. */
        *shadow_plane(first, 2 * i + 1) = others[others[1] ? i % (others[2] ? 3 : 2) : 0];
    }
    *first |= REC_BYTES;
}

/* The mark of a word, given its first record of an access. */
static inline uint64_t *mark_of(uint64_t *kept)
{
    return shadow_plane(kept, MARK_PLANE - 1);
}

/* Whether a record happens before everything the threads of the block do in this phase. */
static inline bool is_over(const Thread *t, uint64_t record)
{
    return rec_phase(record) < t->run->before || rec_phase(record) - t->since < t->span;
}

/* The fast test for is_before(): a record of the thread itself, or one for which is_over()
** holds. */
static inline bool is_plainly_before(const Thread *t, uint64_t record)
{
    return (record ^ t->tag) >> REC_THREAD == 0 || is_over(t, record);
}

/* Whether a record happens before what the thread does now, or is its own. */
static inline bool is_before(const Thread *t, uint64_t record)
{
    return is_plainly_before(t, record) || order_before(t, record);
}

/* Whether the first records make one more read redundant: they are of the same phase, and of two
** warps, or of the reader's warp at the same clock. The mark for whom they do, or 0. */
static inline uint64_t covered_by_phase(const Thread *t, uint64_t *kept, uint64_t mine)
{
    uint64_t a = *kept ^ mine, b = *shadow_plane(kept, 1) ^ mine;

    if ((a | b) >> REC_PHASE != 0)
        return 0;
    uint64_t c = *shadow_plane(kept, 2) ^ mine;
    if ((a ^ b) >> REC_WARP != 0 || (c >> REC_PHASE == 0 && (a ^ c) >> REC_WARP != 0))
        return t->front.redundant[CHECK_REDUNDANT_BLOCK];
    if (a >> REC_WARP == 0 && ((a | b) >> REC_CLOCK & (CLOCKS - 1)) == 0)
        return t->front.redundant[CHECK_REDUNDANT_WARP];
    return 0;
}

/* The same for records of two blocks, in whatever phases: only a barrier of the grid is after both,
** and it is after everything. */
static uint64_t covered_by_blocks(const Thread *t, uint64_t *kept)
{
    uint32_t known = UINT32_MAX;

    for (int i = 0; i < KEPT; i++) {
        uint32_t block = order_block(t->run, *shadow_plane(kept, i));
        if (known == UINT32_MAX)
            known = block;
        else if (block != UINT32_MAX && block != known)
            return t->front.redundant[CHECK_REDUNDANT_ALL];
    }
    return 0;
}

/* Adds a record to the `count` that follow a write. */
static __attribute__((noinline)) void keep_access(const Thread *t, uint64_t *kept, int count,
                                                  uint64_t mine)
{
    for (int i = 0; i < count; i++) {
        uint64_t *old = shadow_plane(kept, i);
        if (!*old || (*old ^ mine) >> REC_THREAD == 0) {
            *old = mine;
            return;
        }
    }
    if (count == KEPT && !(mine & REC_ATOMIC) && covered_by_phase(t, kept, mine))
        return;
    if (count == KEPT && *mark_of(kept))
        *mark_of(kept) = 0;
    for (int i = 0; i < count; i++)
        if (is_before(t, *shadow_plane(kept, i))) {
            *shadow_plane(kept, i) = mine;
            return;
        }
    /* The oldest is kept, and the newest. */
    *shadow_plane(kept, count - 1) = mine;
}

/* Adds a read of a word that is not being written, or marks the word where it is redundant. */
static __attribute__((noinline)) void keep_read(const Thread *t, uint64_t *kept, uint64_t mine,
                                                uint64_t last)
{
    bool all = !last || rec_phase(last) < t->run->before;
    uint64_t mark = covered_by_phase(t, kept, mine);

    if (!mark && all && *shadow_plane(kept, KEPT - 1))
        mark = covered_by_blocks(t, kept);
    if (!mark)
        keep_access(t, kept, KEPT, mine);
    else if (!last || is_over(t, last))
        *mark_of(kept) = mark;
}

/* Removes the records that a write replaces: all, or if it is atomic those that are not. The rest
** move up. */
static inline void drop_kept(uint64_t *kept, int count, bool atomic)
{
    int left = 0;

    if (count == KEPT && *shadow_plane(kept, 1)) /* only words with two records have marks */
        *mark_of(kept) = 0;
    for (int i = 0; i < count; i++) {
        uint64_t old = *shadow_plane(kept, i);
        if (!old)
            break;
        *shadow_plane(kept, i) = 0;
        if (atomic && old & REC_ATOMIC)
            *shadow_plane(kept, left++) = old;
    }
}

/* Checks and records an access to a word or a byte with `count` records of accesses. */
static inline void touch(Thread *t, uint64_t *write, uint64_t *kept, int count, uint64_t mine,
                         int access, const void *address, Conflict *conflict)
{
    uint64_t last = *write;
    bool atomic = access & CHECK_ATOMIC;
    bool over = atomic;

    if (last & REC_THERE) {
        conflict->written = true;
        if ((last ^ mine) >> REC_THREAD != 0 && !(atomic && last & REC_ATOMIC) &&
            !is_before(t, last)) {
            conflict->record = last;
            conflict->read = false;
        } else if (last & REC_ATOMIC && !atomic && t->run->releases) {
            /* With releases, what is after the last atomic operation is after all of them. */
            over = release_has_address(t, conflict->begin);
        }
    } else if (!conflict->written) {
        conflict->written = access == CHECK_WRITE || host_wrote(address);
    }
    if (!(access & CHECK_WRITE)) {
        for (int i = 0; i < count; i++) {
            uint64_t old = *shadow_plane(kept, i);
            if (old & REC_ATOMIC && !over && !is_before(t, old))
                conflict->record = old;
        }
        if (!atomic && (*kept ^ mine) >> REC_CLOCK != 0)
            keep_access(t, kept, count, mine);
        return;
    }
    for (int i = 0; i < count; i++) {
        uint64_t old = *shadow_plane(kept, i);
        if (old && !(over && old & REC_ATOMIC) && !conflict->record && !is_before(t, old)) {
            conflict->record = old;
            conflict->read = !(old & REC_ATOMIC);
        }
    }
    drop_kept(kept, count, atomic);
    if (atomic && last & REC_ATOMIC && (last ^ mine) >> REC_THREAD != 0 &&
        rec_phase(last) >= t->run->before)
        keep_access(t, kept, count, last & ~(uint64_t)REC_BYTES);
    *write = mine | REC_THERE | (last & REC_BYTES);
}

static void touch_bytes(Thread *t, const char *address, uint32_t bytes, uint64_t mine, int access,
                        Conflict *conflict)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint64_t *first = shadow_of(address + i);
        int byte = (int)((uintptr_t)(address + i) & 3);
        shadow_split(first);
        touch(t, shadow_plane(first, 2 * byte), shadow_plane(first, 2 * byte + 1), 1, mine, access,
              address + i, conflict);
    }
}

static inline void touch_word(Thread *t, const char *address, uint64_t mine, int access,
                              Conflict *conflict)
{
    uint64_t *first = shadow_of(address);

    if (CHECK_FAST(!(*first & REC_BYTES)))
        touch(t, first, shadow_plane(first, 1), KEPT, mine, access, address, conflict);
    else
        touch_bytes(t, address, 4, mine, access, conflict);
}

static inline uint64_t new_record(const Thread *t, int site, int access)
{
    return t->tag | (uint64_t)site << REC_SITE | (access & CHECK_ATOMIC ? REC_ATOMIC : 0) |
           REC_THERE;
}

static Conflict touch_all(Thread *t, int site, const char *address, uint32_t bytes, int access)
{
    uint64_t mine = new_record(t, site, access);
    Conflict conflict = { .begin = address };

    if (((uintptr_t)address | bytes) % 4 == 0)
        for (uint32_t i = 0; i < bytes; i += 4)
            touch_word(t, address + i, mine, access, &conflict);
    else
        touch_bytes(t, address, bytes, mine, access, &conflict);
    return conflict;
}

static void *report_conflict(Thread *t, int site, void *address, uint32_t bytes, int access,
                             Conflict conflict)
{
    if (conflict.record)
        find_race(t, site, address, access, conflict.record, conflict.read);
    if (!conflict.written)
        find_unwritten(t, site, address, bytes, access);
    return address;
}

/* Whether a word is accessed as a whole, without atomics, and its last write passes the fast
** test. */
static inline bool is_simple(const Thread *t, uint64_t last, uint64_t old, int access,
                             const void *address)
{
    return !((last | old) & (REC_BYTES | REC_ATOMIC)) &&
           (last ? is_plainly_before(t, last) : access == CHECK_WRITE || host_wrote(address));
}

/* The fast path of most accesses: no reader since the write but those that pass the fast test.
** False if it does not apply. Calls nothing, so that no registers need be saved. */
static inline __attribute__((always_inline)) bool
access_fast(Thread *t, uint64_t *first, uint64_t mine, int access, const void *address)
{
    uint64_t last = *first, *kept = shadow_plane(first, 1), old = *kept;

    if (!is_simple(t, last, old, access, address))
        return false;
    if (access == CHECK_READ) {
        if (old && rec_phase(old) >= t->run->before)
            return (old ^ mine) >> REC_CLOCK == 0;
        *kept = mine;
        return true;
    }
    if (old) {
        if (!is_plainly_before(t, old) || *shadow_plane(kept, 1))
            return false;
        *kept = 0;
    }
    *first = mine;
    return true;
}

/* Whether all records of accesses pass the fast test. */
static bool are_plainly_before(const Thread *t, uint64_t *kept)
{
    for (int i = 0; i < KEPT; i++)
        if (*shadow_plane(kept, i) && !is_plainly_before(t, *shadow_plane(kept, i)))
            return false;
    return true;
}

/* The second fast path, for more readers. */
static bool access_fast_shared(Thread *t, uint64_t *first, uint64_t mine, int access,
                               const void *address)
{
    uint64_t last = *first, *kept = shadow_plane(first, 1), old = *kept;

    if (!is_simple(t, last, old, access, address))
        return false;
    if (access == CHECK_READ) {
        if (!old || rec_phase(old) < t->run->before)
            *kept = mine;
        else if ((old ^ mine) >> REC_CLOCK != 0)
            keep_read(t, kept, mine, last);
        return true;
    }
    if (old) {
        if (!are_plainly_before(t, kept))
            return false;
        drop_kept(kept, KEPT, false);
    }
    *first = mine;
    return true;
}

/* The slow path, for any access. */
static __attribute__((noinline)) void *check_access(Thread *t, int site, void *address,
                                                    uint32_t bytes, int access)
{
    if (!in_region(address))
        return check_is_nowhere(address) ? shadow_scratch(t->run, bytes) : address;
    if ((uintptr_t)address & t->run->sites[site].low) {
        find_misaligned(t, site, address, bytes, access);
        return shadow_scratch(t->run, bytes);
    }
    if (access & CHECK_ATOMIC) {
        bool only_reads = access == CHECK_VOLATILE;
        access |= only_reads ? 0 : CHECK_READ | CHECK_WRITE;
        t->block->atomics |= !find_is_shared(t->run, t->block, address);
        if (t->held && !only_reads)
            locks_before_atomic(t, site, address);
        release_atomic(t, address, access);
    }
    Conflict conflict = touch_all(t, site, address, bytes, access);
    if (CHECK_FAST(!conflict.record && conflict.written))
        return address;
    return report_conflict(t, site, address, bytes, access, conflict);
}

static inline bool is_quick(const Thread *t, int site, const void *address, uint32_t bytes,
                            int access)
{
    return in_region(address) && !(access & CHECK_ATOMIC) && (bytes == 4 || bytes == 8) &&
           !((uintptr_t)address & (t->run->sites[site].low | 3));
}

static void *access_any(Thread *t, int site, void *address, uint32_t bytes, int access)
{
    if (is_quick(t, site, address, bytes, access)) {
        uint64_t mine = new_record(t, site, access), *first = shadow_of(address);
        if (access_fast_shared(t, first, mine, access, address) &&
            (bytes == 4 || access_fast_shared(t, first + 1, mine, access, (char *)address + 4)))
            return address;
    }
    return check_access(t, site, address, bytes, access);
}

static __attribute__((noinline)) void *access_slow(Thread *t, int site, void *address,
                                                   uint32_t bytes, int access)
{
    schedule_slice(t);
    return access_any(t, site, address, bytes, access);
}

void *shadow_access(KjitCheck *c, int site, void *address, uint32_t bytes, int access)
{
    Thread *t = (Thread *)c;

    c->site = site;
    schedule_count(t);
    return access_any(t, site, address, bytes, access);
}

/* An access to a word. The slow path is a tail call, so that the fast one saves no registers for
** it. */
static inline __attribute__((always_inline)) void *access_word(Thread *t, int site, void *address,
                                                               int access)
{
    t->front.site = site;
    if (!CHECK_FAST(--t->front.budget >= 0))
        return access_slow(t, site, address, 4, access);
    if (CHECK_FAST(
            in_region(address) && !((uintptr_t)address & 3) &&
            access_fast(t, shadow_of(address), new_record(t, site, access), access, address)))
        return address;
    return access_any(t, site, address, 4, access);
}

void *shadow_read(KjitCheck *c, int site, void *address)
{
    return access_word((Thread *)c, site, address, CHECK_READ);
}

void *shadow_write(KjitCheck *c, int site, void *address)
{
    return access_word((Thread *)c, site, address, CHECK_WRITE);
}

void shadow_local(KjitCheck *c, int site, void *address, uint64_t bytes)
{
    (void)c, (void)site;
    if (!in_region(address) || !bytes)
        return;
    uintptr_t begin = (uintptr_t)address & ~(uintptr_t)3;
    uintptr_t end = ((uintptr_t)address + bytes + 3) & ~(uintptr_t)3;
    check_memory_unwritten((void *)begin, end - begin);
}

/* Makes unwritten memory written before the launch. */
static void mark_word_written(uint64_t *first)
{
    if (!(*first & (REC_BYTES | REC_THERE)))
        *first |= REC_THERE;
    for (int i = 0; *first & REC_BYTES && i < 4; i++)
        if (!(*shadow_plane(first, 2 * i) & REC_THERE))
            *shadow_plane(first, 2 * i) |= REC_THERE;
}

void shadow_escaped(KjitCheck *c, void *address, uint64_t bytes)
{
    const char *at = (const char *)((uintptr_t)address & ~(uintptr_t)3);
    const char *end = (const char *)address + bytes;

    (void)c;
    if (!in_region(address))
        return;
    while (at < end) {
        if (host_wrote(at)) {
            at = (const char *)(((uintptr_t)at / GRANULE + 1) * GRANULE);
        } else {
            mark_word_written(shadow_of(at));
            at += 4;
        }
    }
}

void *shadow_scratch(CheckRun *run, uint32_t bytes)
{
    if (!run->scratch || bytes > run->scratch_bytes) {
        void *more = memory_resize(run->scratch, bytes);
        if (!more)
            schedule_fail(run, KJIT_MEMORY);
        run->scratch = more;
        run->scratch_bytes = bytes;
    }
    return memset(run->scratch, 0, bytes);
}

/* ---- probes ---------------------------------------------------------------------------------- */

static uint64_t content_of(const void *address, uint32_t bytes)
{
    uint64_t content = 0;

    memcpy(&content, address, bytes < 8 ? bytes : 8);
    return content;
}

/* Whether memory seen by the probe has changed. */
static bool has_changed(const Probe *probe)
{
    for (int i = 0; i < probe->count; i++)
        if (content_of(probe->seen[i].address, probe->seen[i].bytes) != probe->seen[i].content)
            return true;
    return false;
}

static void note_address(Probe *probe, const void *address, uint32_t bytes)
{
    for (int i = 0; i < probe->count; i++)
        if (probe->seen[i].address == address) {
            uint64_t now = content_of(address, probe->seen[i].bytes);
            probe->changed |= now != probe->seen[i].content;
            return;
        }
    if (probe->count == PROBED) {
        probe->changed = true;
        return;
    }
    probe->seen[probe->count].address = address;
    probe->seen[probe->count].bytes = bytes;
    probe->seen[probe->count++].content = content_of(address, bytes);
}

bool shadow_spins(const Probe *probe)
{
    return !probe->changed && !has_changed(probe);
}

void *shadow_watch(KjitCheck *c, int site, void *address, uint32_t bytes, int access)
{
    Thread *t = (Thread *)c;

    t->front.site = site;
    schedule_count(t);
    if (t->probing && in_region(address) && !is_stack(address)) {
        note_address(t->probe, address, bytes);
        t->probe->waits |= (access & CHECK_ATOMIC) != 0;
    }
    return check_access(t, site, address, bytes, access);
}
