/* Saving what ranks share out: every process writes what its ranks have into one file.
**
** The first makes the file, as long as it will be, under a name beside the one that is wanted; all
** open it, write their parts, and when all have done so the first renames it. Where they do not see
** that file, hosts having disks of their own, and for what is no .npy of rows, the first writes all
** of it. */
#include "runtime/array/array.h"
#include "runtime/many/group.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Saving {
    kjit_group *group;
    const char *path;
    const kjit_array *array;
    Spread *spread;
    Run whole;      /* of the spread's bytes: the array's */
    Region *shares; /* by process: what it writes of these */
    /* the first process decides on it and sends it to the others; lengths are in bytes */
    struct SavingFile {
        char name[PATH_MAX]; /* "": none can be made */
        uint64_t head, bytes;
    } file;
    int descriptor; /* -1: it is not open */
} Saving;

/* ---- who writes what ------------------------------------------------------------------------- */

/* Moves what of `missing` is current at a place to the share of the process that has the place. */
static bool take_from(Saving *s, int place, Region *missing)
{
    Region common;
    bool good = region_common(&s->spread->valid[place], missing, &common);

    good = good && region_add(&s->shares[group_process(s->group, place)], &common) &&
           region_take_away(missing, &common);
    region_free(&common);
    return good;
}

static kjit_status share_out(Saving *s)
{
    Region missing = { 0 };

    s->shares = memory_zeroed((size_t)s->group->processes, sizeof *s->shares);
    bool good = s->shares && region_append(&missing, s->whole.low, s->whole.high);
    for (int place = 0; good && place < group_places(s->group) && missing.count; place++)
        good = take_from(s, place, &missing);
    region_free(&missing);
    return good ? KJIT_OK : error_memory();
}

/* Brings to each process's host memory what the process writes. */
static kjit_status bring(Saving *s)
{
    Moves moves = { 0 };
    kjit_status status = reduce_settle(s->group, s->spread);

    if (status == KJIT_OK)
        status = share_out(s);
    for (int p = 0; p < s->group->processes && status == KJIT_OK; p++)
        status = moves_need(s->group, &moves, s->spread, group_host(s->group, p), &s->shares[p]);
    if (status == KJIT_OK)
        status = moves_bring(s->group, &moves);
    moves_free(&moves);
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static kjit_status write_head(void *context, Arena *arena)
{
    Saving *s = context;
    size_t length;
    const char *head = npy_header(arena, s->array, false, &length);

    s->file.head = length;
    s->file.bytes = length + (uint64_t)(s->whole.high - s->whole.low);
    bool good = write_all(s->descriptor, head, length) &&
                ftruncate(s->descriptor, (off_t)s->file.bytes) == 0;
    return good ? KJIT_OK : KJIT_FILE;
}

/* The first process makes the file under a name beside the wanted one, unless what has that name is
** no plain file that may be replaced; file.name is "" then. */
static void make_file(Saving *s)
{
    struct stat info;
    bool exists = lstat(s->path, &info) == 0;
    int length = snprintf(s->file.name, sizeof s->file.name, "%s.tmp%d-%llu", s->path,
                          (int)getpid(), (unsigned long long)s->group->step);

    if ((!exists || (S_ISREG(info.st_mode) && access(s->path, W_OK) == 0)) &&
        length < (int)sizeof s->file.name)
        s->descriptor = open(s->file.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (s->descriptor >= 0 && exists)
        fchmod(s->descriptor, info.st_mode & 0777);
    if (s->descriptor >= 0 && arena_run(write_head, s) == KJIT_OK)
        return;
    if (s->descriptor >= 0) {
        unlink(s->file.name);
        close(s->descriptor);
        s->descriptor = -1;
    }
    s->file.name[0] = '\0';
}

/* The others open it, if what they find has the length that it is to have. */
static void find_file(Saving *s)
{
    struct stat info;

    if (*s->file.name)
        s->descriptor = open(s->file.name, O_WRONLY | O_CLOEXEC);
    if (s->descriptor >= 0 &&
        (fstat(s->descriptor, &info) != 0 || (uint64_t)info.st_size != s->file.bytes)) {
        close(s->descriptor);
        s->descriptor = -1;
    }
}

/* Makes and opens the file; *by_all, the same for all processes: each has it open. */
static kjit_status open_file(Saving *s, bool *by_all)
{
    Engine *engine = s->group->engine;
    struct SavingFile *files = memory_zeroed((size_t)engine->ranks, sizeof *files);
    kjit_status status = files ? KJIT_OK : error_memory();

    if (engine->rank == 0 && files)
        make_file(s);
    status = group_agree(s->group, status);
    if (status != KJIT_OK)
        return status; /* the memory stays, as in group_meet() */
    status = engine_all(engine, &s->file, sizeof s->file, files);
    if (status != KJIT_OK)
        return status;
    s->file = files[0];
    if (engine->rank)
        find_file(s);
    s->file.head = s->descriptor >= 0 ? s->file.head : 0;
    status = engine_all(engine, &s->file, sizeof s->file, files);
    *by_all = true;
    for (int p = 0; status == KJIT_OK && p < engine->ranks; p++)
        *by_all &= files[p].head > 0;
    if (status == KJIT_OK)
        memory_free(files);
    return status;
}

static kjit_status cannot(const Saving *s)
{
    return error_set(KJIT_FILE, "error: cannot write '%s': %s", s->path, strerror(errno));
}

static kjit_status write_share(const Saving *s)
{
    const Region *share = &s->shares[s->group->process];
    bool good = true;

    for (int64_t i = 0; good && i < share->count; i++) {
        const Run *run = &share->runs[i];
        int64_t at = (int64_t)s->file.head + run->low - s->whole.low;
        good =
            lseek(s->descriptor, (off_t)at, SEEK_SET) >= 0 &&
            write_all(s->descriptor, s->spread->begin + run->low, (size_t)(run->high - run->low));
    }
    return good ? KJIT_OK : cannot(s);
}

/* All processes write their shares; then the first renames the file, or removes it after errors. */
static kjit_status write_parts(Saving *s)
{
    kjit_status status = write_share(s);

    if (close(s->descriptor) != 0 && status == KJIT_OK)
        status = cannot(s);
    s->descriptor = -1;
    status = group_agree(s->group, status);
    if (s->group->process)
        return status == KJIT_OK ? group_agree(s->group, status) : status;
    if (status == KJIT_OK)
        status = group_agree(s->group, rename(s->file.name, s->path) == 0 ? KJIT_OK : cannot(s));
    if (status != KJIT_OK)
        unlink(s->file.name);
    return status;
}

/* ---- saving ---------------------------------------------------------------------------------- */

/* By the first process alone. */
static kjit_status save_whole(Saving *s)
{
    kjit_status status = KJIT_OK;

    if (s->spread)
        status = group_fetch(s->group, s->spread, 0);
    if (status == KJIT_OK && s->group->process == 0)
        status = kjit_save_array(s->path, s->array);
    return group_agree(s->group, status);
}

static bool has_parts(Saving *s)
{
    const char *ending = strrchr(s->path, '.');
    uint64_t bytes;

    s->spread = spread_find(s->group, s->array->data);
    if (!s->spread || !s->group->engine || !ending || strcmp(ending, ".npy") != 0 ||
        s->array->dtype == KJIT_DTYPE_RECORD || array_layout(s->array) != LAYOUT_C ||
        !array_check(s->array, "the array", &bytes) || !bytes)
        return false;
    s->whole.low = (char *)s->array->data - s->spread->begin;
    s->whole.high = s->whole.low + (int64_t)bytes;
    return s->whole.high <= s->spread->bytes;
}

kjit_status group_save(kjit_group *group, const char *path, const kjit_array *array)
{
    Saving s = { .group = group, .path = path, .array = array, .descriptor = -1 };
    bool by_all = false;
    kjit_status status = KJIT_OK;

    engine_begins(group->engine, "saving %s", path);
    engine_adds_bytes(group->engine, path, strlen(path));
    if (has_parts(&s))
        status = open_file(&s, &by_all);
    if (status == KJIT_OK && by_all)
        status = bring(&s);
    if (status == KJIT_OK)
        status = by_all ? write_parts(&s) : save_whole(&s);
    if (s.descriptor >= 0)
        close(s.descriptor);
    if (group->process == 0 && *s.file.name && (status != KJIT_OK || !by_all))
        unlink(s.file.name);
    for (int p = 0; s.shares && p < group->processes; p++)
        region_free(&s.shares[p]);
    memory_free(s.shares);
    if (status != KJIT_OK)
        kjit_group_fail(group, kjit_error_message());
    return status;
}
