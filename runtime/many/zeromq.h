/* ZeroMQ, which carries messages between ranks where there is no MPI: zeromq.c. */
#pragma once

#include "runtime/many/engine.h"

#include <pthread.h>

/* Numbers of zmq.h, which have been the same since version 4.2. */
enum { ZMQ_DEALER = 5, ZMQ_ROUTER = 6, ZMQ_DONTWAIT = 1, ZMQ_SNDMORE = 2 };
enum { ZMQ_ROUTING_ID = 5, ZMQ_ROUTER_MANDATORY = 33 };

enum { RANK_NAME = 16, SIGN_MS = 1000 };

typedef struct ZmqMessage {
    void *room[8];
} ZmqMessage;

typedef struct Zmq {
    void *(*context)(void);
    int (*terminate)(void *context);
    void *(*socket)(void *context, int type);
    int (*close)(void *socket);
    int (*set)(void *socket, int option, const void *value, size_t bytes);
    int (*bind)(void *socket, const char *address);
    int (*connect)(void *socket, const char *address);
    int (*send)(void *socket, const void *data, size_t bytes, int flags);
    int (*init)(ZmqMessage *message);
    int (*receive)(ZmqMessage *message, void *socket, int flags);
    int (*pass)(ZmqMessage *message, void *socket, int flags);
    void *(*data)(ZmqMessage *message);
    size_t (*size)(const ZmqMessage *message);
    int (*drop)(ZmqMessage *message);
    int (*error)(void);
    const char *(*text)(int error);
} Zmq;

/* What a message says: bytes; that the sender has failed, and why; that it has ended; that it has
** come to where all meet. And of the hub: that all have, that it is there, that a rank is gone. */
typedef enum Kind {
    KIND_BYTES,
    KIND_FAILED,
    KIND_ENDED,
    KIND_MEETS,
    KIND_MET,
    KIND_HERE,
    KIND_GONE
} Kind;

/* The first part of a message. It is sent as it lies in memory. */
typedef struct Label {
    int32_t rank; /* where it goes; behind the hub, where it comes from */
    int32_t kind;
} Label;

/* ---- hub.c ----------------------------------------------------------------------------------- */

typedef struct Hub {
    const Zmq *zmq;
    void *socket; /* NULL: there is none in this process */
    pthread_t thread;
    int ranks, came, meetings;
    int64_t signed_at;
    bool *gone; /* by rank */
} Hub;

/* The name of a rank as a socket has it. */
void hub_name(int rank, char name[RANK_NAME]);
/* Begins to serve ranks by a socket that listens, which is the hub's from then on. It ends when all
** ranks have met for the second time, or its context does; hub_close() waits for that. */
kjit_status hub_open(Hub *hub, const Zmq *zmq, void *socket, int ranks);
void hub_close(Hub *hub);
