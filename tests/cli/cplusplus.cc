/* What kjit.hpp promises: arguments of every kind, owners, errors. Prints what fails. */
#include <kjit.hpp>

#include <cstdio>
#if __cplusplus >= 202002L
#include <span>
#endif

static int failed;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%d: %s\n", __LINE__, #condition);                                         \
            failed++;                                                                              \
        }                                                                                          \
    } while (0)

static const char kernels[] = R"(
from numba import cuda

@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor

@cuda.jit
def kinds(flag, small, wide, half, z, out):
    out[0] = (1 if flag else 2) + small + wide + half + z.real + z.imag

@cuda.jit
def of_a_tuple(t, out):
    out[0] = t[0][1] + t[1] + t[2][0]

@cuda.jit
def planes(a, sums):
    i = cuda.grid(1)
    if i < a.shape[0]:
        for j in range(a.shape[1]):
            sums[i] += a[i, j]
)";

static kjit_status status_of(const kjit::kernel &kernel)
{
    try {
        kernel(1, 1)(1);
    } catch (const kjit::error &error) {
        CHECK(std::string(error.what()).find("1 ") != std::string::npos);
        return error.status();
    }
    return KJIT_OK;
}

static void arguments(const kjit::module &module)
{
    const kjit::kernel scale = module.kernel("scale");
    std::vector<float> x(1000, 2.0f);
    std::array<int32_t, 3> few = { 1, 2, 3 };
    double plain[2] = { 1.5, 2.5 };
    double out[1] = {};

    scale(4, 256)(x, 3.0f);
    CHECK(x[0] == 6.0f && x[999] == 6.0f);
    scale({ 1, 1 }, { 32, 1, 1 })(few, 2);
    CHECK(few[2] == 6);
    scale.forall(2, plain, 2.0);
    CHECK(plain[1] == 5.0);
    scale.automatic(x, 0.5f);
    CHECK(x[500] == 3.0f);
    module.kernel("kinds")(1, 1)(true, int8_t(3), uint64_t(40), 0.5f, std::complex<float>(1, 2),
                                 out);
    CHECK(out[0] == 1 + 3 + 40 + 0.5 + 3);
    const std::vector<int32_t> fixed = { 7, 8, 9 };
    module.kernel("of_a_tuple")(1, 1)(std::make_tuple(fixed, 0.25, std::pair<int, int>(100, 0)),
                                      out);
    CHECK(out[0] == 8 + 0.25 + 100);
    const float grid[6] = { 1, 2, 3, 4, 5, 6 };
    std::vector<float> sums(2);
    module.kernel("planes")(1, 2)(kjit::host(grid, 2, 3), sums);
    CHECK(sums[0] == 6 && sums[1] == 15);
#if __cplusplus >= 202002L
    scale(1, 32)(std::span<double>(plain), 2.0);
    CHECK(plain[0] == 6.0);
#endif
    bool is_refused = false;
    try {
        scale(1, 32)(fixed, 2);
    } catch (const kjit::error &) {
        is_refused = true;
    }
    CHECK(is_refused && fixed[0] == 7);
}

static void memory(const kjit::context &context, const kjit::module &module)
{
    const kjit::kernel scale = module.kernel("scale");
    kjit::array x = context.to_device(std::vector<float>{ 1, 2, 3, 4 });
    kjit::array moved = std::move(x);
    kjit::array square = context.empty<int64_t>({ 2, 3 });
    const kjit::stream stream = context.stream();
    kjit::event from = context.event(), to = context.event();

    CHECK(x.get().data == nullptr && moved.size() == 4 && square.extent(1) == 3);
    from.record(stream);
    scale(1, 4, stream)(moved, 10.0f);
    to.record(stream);
    stream.synchronize();
    CHECK(stream.done() && to.since(from) >= 0);
    CHECK(moved.to_vector<float>() == (std::vector<float>{ 10, 20, 30, 40 }));
    square.copy_from(std::vector<int64_t>{ 1, 2, 3, 4, 5, 6 });
    CHECK(square.to_vector<int64_t>()[5] == 6);
    kjit::prepared again = scale(1, 4).prepare(moved, 2.0f);
    again();
    again();
    CHECK(moved.to_vector<float>()[0] == 40);
    kjit::graph graph = kjit::capture(stream, [&] { scale(1, 4, stream)(moved, 0.5f); });
    graph.launch(stream);
    stream.synchronize();
    CHECK(moved.to_vector<float>()[3] == 80);
    bool is_refused = false;
    try {
        moved.copy_from(std::vector<float>(3));
    } catch (const kjit::error &error) {
        is_refused = error.status() == KJIT_ARGUMENT;
    }
    CHECK(is_refused);
}

static const char host_part[] = R"(
rate = 0.5

def grow(x, steps):
    for _ in range(steps):
        x += rate * x
    return x.sum(), x[-1:]
)";

static void programs(const kjit::context &context)
{
    const kjit::module module = context.compile(host_part, "grow.py");
    const kjit::program program = module.program();
    std::vector<double> x = { 1, 2, 4 };

    const kjit_arg both = program.call("grow", x, 2);
    CHECK(x[0] == 2.25 && both.as.tuple.items[0].as.number == 15.75);
    CHECK(both.as.tuple.items[1].as.array.data == &x[2]);
    CHECK(program.value("rate").as.number == 0.5);
    try {
        program.call("shrink", x);
        CHECK(false);
    } catch (const kjit::error &error) {
        CHECK(error.status() == KJIT_ARGUMENT);
    }
}

int main(int argc, char **argv)
{
    const kjit::context context(argc > 1 ? argv[1] : "cpu");
    const kjit::module module = context.compile(kernels, "kernels.k");

    static_assert(kjit::dtype_of<const uint16_t>() == KJIT_DTYPE_UINT16);
    static_assert(!std::is_copy_constructible_v<kjit::context> &&
                  std::is_nothrow_move_constructible_v<kjit::array>);
    CHECK(module.kernels().size() == 4 && module.kernel("planes").name() == "planes");
    CHECK(status_of(module.kernel("scale")) != KJIT_OK);
    arguments(module);
    memory(context, module);
    programs(context);
    try {
        context.load("nowhere.k");
        CHECK(false);
    } catch (const kjit::error &error) {
        CHECK(error.status() == KJIT_FILE);
    }
    try {
        context.compile("def f(:\n", "wrong.k");
        CHECK(false);
    } catch (const kjit::error &error) {
        CHECK(error.status() == KJIT_INVALID &&
              std::string(error.what()).find("wrong.k:1:") != std::string::npos);
    }
    return failed != 0;
}
