/* hist.cc: a histogram of random numbers by C++. hist.cc [DEVICE] [FILE] */
#include <kjit.hpp>

#include <iostream>
#include <random>
#include <vector>

int main(int argc, char **argv)
try {
    kjit::context context(argc > 1 ? argv[1] : "auto");
    kjit::kernel histogram = context.load(argc > 2 ? argv[2] : "hist.k").kernel("histogram");
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> samples(100000);
    std::vector<int32_t> counts(150);
    int total = 0;

    for (float &sample : samples)
        sample = normal(random);
    histogram(64, 64)(samples, -6.0f, 6.0f, counts);
    for (int32_t count : counts)
        total += count;
    std::cout << total << " of " << samples.size() << " samples on " << context.device() << '\n';
    return 0;
} catch (const kjit::error &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
