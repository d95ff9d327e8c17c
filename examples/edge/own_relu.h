#pragma once

/// Number of calls of the program's own aten::relu.
extern int relu_calls;
