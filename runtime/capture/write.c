/* Writing captured launches to disk; the contract is in capture.h. */
#include "runtime/capture/capture.h"
#include "runtime/cache/room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHY_MAX = 1 << 20 };

bool capture_there(const Capture *capture, const char *name)
{
    return faccessat(capture->folder, name, F_OK, 0) == 0;
}

void capture_complain(Capture *capture, const char *call, const char *reason)
{
    char line[2048];
    struct stat info;
    int file = openat(capture->folder, CAPTURE_WHY,
                      O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    int length = snprintf(line, sizeof line, "%.1500s: %s\n", call, reason);

    if (file < 0)
        return;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size < WHY_MAX)
        write_all(file, line, (size_t)length);
    close(file);
}

/* ---- the limit ------------------------------------------------------------------------ */

/* The number of captured launches in the folder. */
static unsigned count_launches(const Capture *capture)
{
    char text[CACHE_PATH_MAX];
    DIR *folder = opendir(capture->directory);
    unsigned count = 0;
    struct dirent *found;

    while (folder && (found = readdir(folder))) {
        if (strncmp(found->d_name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY)) == 0)
            continue;
        snprintf(text, sizeof text, "%s/" CAPTURE_TEXT, found->d_name);
        count += capture_there(capture, text);
    }
    if (folder)
        closedir(folder);
    return count;
}

void capture_summary(const Capture *capture, char *out, size_t size)
{
    snprintf(out, size, "%s, %u launches, %.1f of %.0f MiB%s", capture->directory,
             count_launches(capture), (double)folder_bytes(capture->folder, ".") / (1 << 20),
             (double)capture->limit / (1 << 20),
             capture_there(capture, CAPTURE_WHY) ? "; " CAPTURE_WHY " in it names others" : "");
}

/* Whether a launch fits the limit. Under the lock. */
static bool has_room(const CapturePlan *plan)
{
    uint64_t used = folder_bytes(plan->capture->folder, "."), limit = plan->capture->limit;

    return used <= limit && plan->bytes <= limit - used;
}

/* ---- one launch ----------------------------------------------------------------------- */

static kjit_status write_array(const Scratch *scratch, const CaptureFile *file, const char *ending,
                               const char *data)
{
    char path[CACHE_PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s%s.npy", scratch->folder, file->name, ending);

    if (length >= (int)sizeof path)
        return KJIT_FILE;
    return file_write(path, file->head, file->head_length, data, file->lead + file->bytes);
}

/* Creates the parent folders of a relative path. */
static void make_folders(const char *folder, const char *name)
{
    char path[CACHE_PATH_MAX];

    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%.2000s/%.*s", folder, (int)(slash - name), name);
        mkdir(path, 0700);
    }
}

static kjit_status write_source(const Scratch *scratch, const CaptureSource *source)
{
    char path[CACHE_PATH_MAX];

    make_folders(scratch->folder, source->name);
    int length = snprintf(path, sizeof path, "%s/%s", scratch->folder, source->name);
    if (length >= (int)sizeof path)
        return KJIT_FILE;
    return file_write(path, NULL, 0, source->data, source->length);
}

/* A folder that is being written. */
typedef struct Writing {
    const CapturePlan *plan;
    const Scratch *scratch;
    const char *failure;
} Writing;

/* launch.txt, which is written last. */
static kjit_status write_text(void *context, Arena *arena)
{
    const Writing *wanted = context;
    const CapturePlan *plan = wanted->plan;
    const char *failure = wanted->failure;
    char path[CACHE_PATH_MAX];
    Buf out = buf_in(arena);
    buf_puts(&out, plan->launch);
    if (failure)
        buf_printf(&out, "failed = %.*s\n", (int)strcspn(failure, "\n"), failure);
    buf_puts(&out, plan->before);
    if (!failure)
        buf_printf(&out, "\n[after]\n%s", plan->after);
    scratch_path(wanted->scratch, CAPTURE_TEXT, path);
    return file_write(path, NULL, 0, buf_text(&out), out.length);
}

static kjit_status write_files(const CapturePlan *plan, const Scratch *scratch, const char *failure)
{
    Writing text = { plan, scratch, failure };

    for (const CaptureSource *source = plan->sources; source; source = source->next)
        KJIT_TRY(write_source(scratch, source));
    for (const CaptureFile *file = plan->files; file; file = file->next) {
        KJIT_TRY(write_array(scratch, file, "", file->before));
        if (file->after)
            KJIT_TRY(write_array(scratch, file, ".after", file->after));
    }
    return arena_run(write_text, &text);
}

/* Renames the folder to its final name. False on failure, unless another process has created it. */
static bool publish(const CapturePlan *plan, Scratch *scratch)
{
    const Capture *capture = plan->capture;

    if (renameat(AT_FDCWD, scratch->folder, capture->folder, plan->folder) != 0)
        return errno == EEXIST || errno == ENOTEMPTY;
    scratch->folder[0] = '\0'; /* so that it is not removed as temporary */
    return true;
}

static const char *write_folder(CapturePlan *plan, const char *failure)
{
    const char *why_not = NULL;
    Scratch scratch;

    if (capture_there(plan->capture, plan->folder))
        return NULL;
    if (!has_room(plan)) {
        bool reported = plan->capture->reported_full;
        plan->capture->reported_full = true;
        return reported ? "" : "KJIT_CAPTURE_SIZE leaves no room for it; others may not fit either";
    }
    if (!scratch_open(&scratch, plan->capture->directory))
        return "no folder can be made for it";
    errno = 0;
    if (write_files(plan, &scratch, failure) != KJIT_OK)
        why_not = errno ? strerror(errno) : "it cannot be written";
    else if (!publish(plan, &scratch))
        why_not = strerror(errno);
    scratch_close(&scratch);
    return why_not;
}

const char *capture_write(CapturePlan *plan, const char *failure)
{
    Cache folder = { .folder = plan->capture->folder };
    CacheRoom room;

    if (!cache_lock(&folder, &room))
        return "another process keeps the folder's lock";
    pthread_mutex_lock(&plan->capture->lock);
    const char *why_not = write_folder(plan, failure);
    pthread_mutex_unlock(&plan->capture->lock);
    cache_unlock(&folder, &room);
    return why_not;
}
