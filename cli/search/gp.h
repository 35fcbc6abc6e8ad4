/* A Gaussian process: what is likely to be measured where nothing was yet.
**
** Source: Rasmussen, Williams, "Gaussian Processes for Machine Learning", MIT Press 2006: algorithm
** 2.1, and chapter 5 for the choice of lengths. */
#ifndef KJIT_TUNE_GP_H
#define KJIT_TUNE_GP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Gp {
    size_t dims, count;
    double *x;       /* `count` points of `dims` coordinates, each from 0 to 1 */
    double *lengths; /* how far along each coordinate values are alike */
    double trend;    /* the weight of a plane through the points, beside what varies about it */
    double noise;
    double scale; /* the variance that all of it is multiplied by */
    double *chol, *weights;
    double *row;       /* room for one prediction */
    double mean, size; /* of the values as they were given */
    bool settled;      /* mean and size were said, and are not the values' own */
} Gp;

/* Learns from `count` points, at least one, and their values. `tune`: chooses the lengths, the
** trend and the noise anew; else those of the last time serve. False if memory ran out. Before the
** first time: gp_new(). Afterwards gp_free(), failed or not. */
bool gp_new(Gp *gp, size_t dims, size_t room);
bool gp_learn(Gp *gp, const double *x, const double *y, size_t count, bool tune);
void gp_free(Gp *gp);
/* Says what mean and deviation values have where nothing is known: they are no longer taken from
** the values, which may be few and one-sided. */
void gp_settle(Gp *gp, double mean, double deviation);
/* The value expected at a point, and its standard deviation. */
void gp_predict(Gp *gp, const double *x, double *mean, double *deviation);

#endif
