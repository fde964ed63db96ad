#pragma once

/// Calls of malloc, calloc, realloc and the aligned ones in this process so far.
long allocation_count(void);

/// Octets these calls have asked for.
long allocation_octets(void);
