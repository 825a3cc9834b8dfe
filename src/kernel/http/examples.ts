/** An id and a time for examples in openapi.json. */
export const ID = { example: '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f' };
export const TIME = { example: '2026-01-31T12:00:00.000Z' };
/** A time that is after everything: whoever tries an example out gets the present. */
export const PRESENT = { example: '2030-01-01T00:00:00.000Z' };
