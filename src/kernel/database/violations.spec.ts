import { describe, expect, it } from '@jest/globals';
import { isUnavailable } from './violations.js';

describe('isUnavailable', () => {
  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', '08006', '57P01'])(
    '%s says that the database is away for now',
    (code) => expect(isUnavailable({ code })).toBe(true),
  );

  it.each(['EACCES', 'ENOENT', '23505', '42601'])('an error with the code %s does not', (code) =>
    expect(isUnavailable({ code })).toBe(false),
  );
});
