#pragma once
// Definitions that a library for PyTorch has once: the emitted source support.cpp includes this header, which compiles
// longer than the library's own registrations.
#include "structured/torch/batching.h"
#include "structured/torch/failing_node.h"
#include "structured/torch/functional_call.h"
#include "structured/torch/registrations.h"
#include "structured/torch/stand_ins.h"
