/* Everything libkvern offers, in one header. */
#ifndef KVERN_KVERN_H
#define KVERN_KVERN_H

#include "kvern/base.h"
#include "kvern/engine.h"
#include "kvern/position.h"
#include "kvern/scoring.h"

#endif
