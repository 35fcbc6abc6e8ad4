/* The steps of a run, as a movie or a row of pictures.
**
** How many steps there will be is not known: every one is kept until there are FRAMES of them, then
** every second of these is dropped, and from then on every second step passed over, and so on. */
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/plot/draw.h"

enum { FRAMES = 128, SIDE = 480, LONGEST = 4096, ROW = 6, RATE = 20, TITLE = 192 };

typedef struct Shot {
    Raster raster;
    uint64_t step;
    int32_t rank;
    char title[TITLE];
} Shot;

struct Movie {
    char *name;
    Shot shots[FRAMES];
    size_t count;
    uint64_t steps, stride;
};

extern char **environ;

/* ---- the steps ------------------------------------------------------------------------------ */

bool movie_named(const char *path)
{
    return ends_in(path, ".gif") || ends_in(path, ".mp4");
}

Movie *movie_new(const char *name)
{
    Movie *movie = must_alloc(sizeof *movie);
    movie->name = must_strndup(name, strlen(name));
    movie->stride = 1;
    return movie;
}

void movie_free(Movie *movie)
{
    if (!movie)
        return;
    for (size_t i = 0; i < movie->count; i++)
        raster_free(&movie->shots[i].raster);
    free(movie->name);
    free(movie);
}

bool movie_wants(Movie *movie)
{
    return ++movie->steps % movie->stride == 0;
}

static void drop_every_second(Movie *movie)
{
    size_t kept = 0;
    for (size_t i = 0; i < movie->count; i++)
        if (i % 2)
            movie->shots[kept++] = movie->shots[i];
        else
            raster_free(&movie->shots[i].raster);
    movie->count = kept;
    movie->stride *= 2;
}

void movie_add(Movie *movie, const kjit_array *array)
{
    if (!raster_possible(array))
        return;
    if (movie->count == FRAMES)
        drop_every_second(movie);
    if (movie->steps % movie->stride)
        return;
    int most = array->rank == 1 ? LONGEST : SIDE;
    Shot *shot = &movie->shots[movie->count++];
    *shot = (Shot){ raster_make(array, most, most), movie->steps, array->rank, "" };
    snprintf(shot->title, sizeof shot->title, "%.120s  step %llu", movie->name,
             (unsigned long long)shot->step);
}

/* ---- pages of them -------------------------------------------------------------------------- */

/* Panels for all steps, of one scale; the page shows as many of them as the option says. */
typedef struct Reel {
    Panel *panels;
    kjit_array *arrays;
    Curve *curves;
    Page page;
} Reel;

/* Axes that show every step. */
static Frame frame_of(const Reel *reel, size_t curves, const PlotStyle *style)
{
    Frame frame = { .x = { 0, 0, style->log_x, style->x ? style->x : "index" },
                    .y = { INFINITY, -INFINITY, style->log_y, style->y } };
    if (curves) {
        series_range(&frame, reel->curves, curves, series_has_bars(reel->curves, 1));
        axis_fix(&frame.y);
    }
    return frame;
}

static Reel reel_of(const Movie *movie, const PlotStyle *style)
{
    Reel reel = { .panels = must_alloc(movie->count * sizeof *reel.panels),
                  .arrays = must_alloc(movie->count * sizeof *reel.arrays),
                  .curves = must_alloc(movie->count * sizeof *reel.curves),
                  .page = { .scale = color_scale(style), .style = style } };
    size_t curves = 0;

    for (size_t i = 0; i < movie->count; i++) {
        const Shot *shot = &movie->shots[i];
        const int64_t width = shot->raster.width;
        reel.arrays[i] = kjit_host_array(shot->raster.number, KJIT_DTYPE_FLOAT32, 1, &width);
        if (shot->rank == 1)
            reel.curves[curves++] =
                (Curve){ movie->name, &reel.arrays[i], (double)shot->raster.step };
        else
            raster_put_scale(&shot->raster, &reel.page.scale);
    }
    color_scale_fix(&reel.page.scale);
    Frame frame = frame_of(&reel, curves, style);
    for (size_t i = 0, curve = 0; i < movie->count; i++) {
        const Shot *shot = &movie->shots[i];
        bool line = shot->rank == 1;
        reel.panels[i] = (Panel){ .title = shot->title,
                                  .curves = line ? &reel.curves[curve++] : NULL,
                                  .count = line,
                                  .raster = line ? NULL : &shot->raster,
                                  .frame = frame };
        if (!line) {
            reel.panels[i].frame.x.name = style->x ? style->x : "column";
            reel.panels[i].frame.y.name = style->y ? style->y : "row";
        }
    }
    return reel;
}

static void reel_free(Reel *reel)
{
    free(reel->panels);
    free(reel->arrays);
    free(reel->curves);
}

/* So many of the steps, evenly distributed, the last among them. */
static int write_row(Reel *reel, size_t frames, size_t wanted, const char *path)
{
    size_t count = wanted < frames ? wanted : frames;
    Panel *chosen = must_alloc(count * sizeof *chosen);
    for (size_t i = 0; i < count; i++)
        chosen[i] = reel->panels[(i + 1) * frames / count - 1];
    reel->page.panels = chosen;
    reel->page.count = count;
    page_lay_out(&reel->page);
    int status = page_write(&reel->page, path);
    free(chosen);
    return status;
}

/* ---- ffmpeg --------------------------------------------------------------------------------- */

/* A child that reads frames from a pipe and writes to a file that has no name. */
typedef struct Encoder {
    pid_t child;
    int pipe;
    FILE *made;
} Encoder;

static bool spawn(Encoder *encoder, const char *size, bool gif)
{
    char rate[16], out[48];
    snprintf(rate, sizeof rate, "%d", RATE);
    snprintf(out, sizeof out, "file:/proc/self/fd/%d", fileno(encoder->made));
    const char *const filter =
        gif ? "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none" : "format=yuv420p";
    const char *const args[] = { "ffmpeg",
                                 "-nostdin",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "bgr0",
                                 "-s",
                                 size,
                                 "-r",
                                 rate,
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 filter,
                                 "-f",
                                 gif ? "gif" : "mp4",
                                 out,
                                 NULL };
    posix_spawn_file_actions_t actions;
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int failed =
        posix_spawnp(&encoder->child, "ffmpeg", &actions, NULL, (char *const *)args, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    encoder->pipe = ends[1];
    if (failed)
        close(ends[1]);
    return !failed;
}

static bool put_all(int file, const unsigned char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length);
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static bool put_frames(Reel *reel, size_t frames, int file)
{
    int width = (int)page_width(&reel->page), height = (int)page_height(&reel->page);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    bool fine = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;

    for (size_t i = 0; fine && i < frames; i++) {
        cairo_t *cr = cairo_create(surface);
        doing_count(i, frames, "frames");
        reel->page.panels = &reel->panels[i];
        page_draw(cr, &reel->page);
        cairo_destroy(cr);
        cairo_surface_flush(surface);
        fine = put_all(file, cairo_image_surface_get_data(surface),
                       (size_t)cairo_image_surface_get_stride(surface) * (size_t)height);
    }
    cairo_surface_destroy(surface);
    return fine;
}

/* What the encoder has made becomes the file. */
static int keep(Encoder *encoder, const char *path)
{
    Draft out;
    char part[8192];
    size_t got;
    draft_open(&out);
    rewind(encoder->made);
    while ((got = fread(part, 1, sizeof part, encoder->made)) > 0)
        fwrite(part, 1, got, out.file);
    return draft_close(&out, "--plot", path) ? EXIT_DONE : EXIT_FAILED;
}

/* EXIT_COMMAND: there is no ffmpeg. */
static int encode(Reel *reel, size_t frames, const char *path)
{
    Encoder encoder = { .made = tmpfile() };
    char size[32];
    int ended = 0;

    reel->page.panels = reel->panels;
    reel->page.count = 1;
    page_lay_out(&reel->page);
    snprintf(size, sizeof size, "%dx%d", (int)page_width(&reel->page),
             (int)page_height(&reel->page));
    if (!encoder.made || !spawn(&encoder, size, ends_in(path, ".gif"))) {
        if (encoder.made)
            fclose(encoder.made);
        return EXIT_COMMAND;
    }
    doing_say("encoding %s", path);
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    bool fine = put_frames(reel, frames, encoder.pipe);
    close(encoder.pipe);
    signal(SIGPIPE, before);
    fine = waitpid(encoder.child, &ended, 0) == encoder.child && fine && ended == 0;
    doing_say(NULL);
    int status = fine ? keep(&encoder, path) : EXIT_FAILED;
    if (!fine)
        complain("--plot: ffmpeg could not make %s", path);
    fclose(encoder.made);
    return status;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* heat.gif becomes heat.png. */
static int write_row_instead(Reel *reel, size_t frames, const char *path)
{
    char *other = must_strndup(path, strlen(path));
    memcpy(other + strlen(other) - 3, "png", 3);
    complain("there is no ffmpeg, which movies are made with: %s has a row of steps instead",
             other);
    int status = write_row(reel, frames, ROW, other);
    free(other);
    return status;
}

int movie_write(const Movie *movie, const char *path, const PlotStyle *style)
{
    if (!movie->count)
        return complain_failed("--plot %s: no step had an array that can be drawn", movie->name);
    Reel reel = reel_of(movie, style);
    int status = EXIT_COMMAND;
    if (!movie_named(path))
        status = write_row(&reel, movie->count, style->steps, path);
    else
        status = encode(&reel, movie->count, path);
    if (status == EXIT_COMMAND)
        status = write_row_instead(&reel, movie->count, path);
    reel_free(&reel);
    return status;
}
