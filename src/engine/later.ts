/** The later of two times, both ISO 8601 UTC as the engine writes them. */
export const later = (one: string, other: string): string => (one < other ? other : one);
