/** An id and a time for examples in openapi.json. */
export const ID = { example: '9b2f6c1e-3a47-4d08-8c5d-1f0e7a6b2d94' };
export const TIME = { example: '2026-01-31T12:00:00.000Z' };
/** A time later than any data, so that an example sent as it is returns the present state. */
export const PRESENT = { example: '2030-01-01T00:00:00.000Z' };
