/* Files of labelled positions: reading them, and which set a position belongs to. */
#ifndef TUNE_DATASET_H
#define TUNE_DATASET_H

#include "eval/features.h"
#include "tune/tune.h"

enum tune_split { TUNE_TRAIN, TUNE_VALID, TUNE_TEST, TUNE_SPLITS };

/* Of ten positions one goes to valid and one to test, by a hash of the canonical position. */
enum tune_split tune_split_of(uint64_t key);
const char *tune_split_text(enum tune_split split); /* "train", "valid", "test" */

/* A position as the evaluator sees it. */
struct tune_row {
    uint32_t own, other;        /* stones of the side to move and of the other */
    uint8_t hands[2];           /* likewise */
    int8_t counts[KV_FEATURES]; /* the side to move's less the other's */
    int8_t outcome;             /* for the side to move */
    uint8_t split;
    uint8_t stones; /* on the board */
    int16_t phase;  /* kv_phase: 1024 with all stones in hand, 0 with none */
};

struct tune_dataset {
    struct tune_row *rows;
    size_t count, capacity;
    size_t splits[TUNE_SPLITS];
    char origin[1024]; /* the file's comments, as lines of a C comment */
    struct kv_rules rules;
};

/* Reads a file written by kvern-tune data. Complains by itself, with the line. */
enum tune_exit tune_dataset_read(struct tune_dataset *data, const char *path,
                                 const struct tune_options *options);
void tune_dataset_finish(struct tune_dataset *data);

#endif
