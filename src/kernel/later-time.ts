/**
 * The later of two times. Something that this request waited for may have happened after the request took its own time.
 */
export const laterTime = (one: Date, other: Date): Date => (one < other ? other : one);
