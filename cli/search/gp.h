/* A Gaussian process, which predicts values at points that are not measured yet.
**
** Source: Rasmussen, Williams, "Gaussian Processes for Machine Learning", MIT Press 2006: algorithm
** 2.1, and chapter 5 for the choice of lengths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Gp {
    size_t dims, count;
    double *x;       /* `count` points of `dims` coordinates, each from 0 to 1 */
    double *lengths; /* the length scale of each coordinate */
    double trend;    /* the weight of a linear trend */
    double noise;
    double scale; /* the variance */
    double *chol, *weights;
    double *row;       /* scratch memory of a prediction */
    double mean, size; /* the values' mean and standard deviation */
    bool settled;      /* mean and size are of gp_settle(), not of the values */
} Gp;

/* Fits the process to `count` points, at least one, and their values. `tune`: chooses the lengths,
** the trend and the noise again, else keeps them. False if memory ran out. After gp_new(); finally
** gp_free(), failed or not. */
bool gp_new(Gp *gp, size_t dims, size_t room);
bool gp_learn(Gp *gp, const double *x, const double *y, size_t count, bool tune);
void gp_free(Gp *gp);
/* Sets the prior mean and deviation, instead of those of the values, which may be few and
** biased. */
void gp_settle(Gp *gp, double mean, double deviation);
/* The value expected at a point, and its standard deviation. */
void gp_predict(Gp *gp, const double *x, double *mean, double *deviation);
