#pragma once

/// Calls of malloc, calloc, realloc and the aligned ones in this process so far.
long allocation_count(void);
