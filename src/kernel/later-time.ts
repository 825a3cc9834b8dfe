/** The later of two times. What was waited for may have happened after the moment at which this request began to write. */
export const laterTime = (one: Date, other: Date): Date => (one < other ? other : one);
