import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RequestRights, TRUSTED_MS } from './request-rights.js';

const CHANGED = { code: 'SERVICE_UNAVAILABLE' };

describe('RequestRights', () => {
  let now: number;
  let again: jest.Mock<() => Promise<void>>;
  let rights: RequestRights;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    again = jest.fn(() => Promise.resolve());
    rights = new RequestRights();
    rights.admitted(again);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const pass = (): number => (now += TRUSTED_MS + 1);

  it('the rights of a request are trusted for a second, then decided again, and trusted for another', async () => {
    await rights.confirm();
    expect(again).toHaveBeenCalledTimes(0);
    pass();
    await rights.confirm();
    await rights.confirm();
    expect(again).toHaveBeenCalledTimes(1);
    pass();
    await rights.confirm();
    expect(again).toHaveBeenCalledTimes(2);
  });

  it('the rights of a request are not decided again before the guards have admitted the request', async () => {
    rights.begin();
    pass();
    await rights.confirm();
    expect(again).toHaveBeenCalledTimes(0);
  });

  it('the rights of a request have changed when a condition no longer holds, of which the first of a name counts', async () => {
    rights.dependOn('shares', () => Promise.resolve(false));
    rights.dependOn('shares', () => Promise.resolve(true));
    pass();
    await expect(rights.confirm()).rejects.toMatchObject(CHANGED);
    await rights.confirm();
    expect(again).toHaveBeenCalledTimes(1);
  });

  it('the rights of a request count no more for the answer to a committed write, and go on to count for a read', async () => {
    rights.committed();
    pass();
    await rights.confirm();
    expect(again).toHaveBeenCalledTimes(0);
    const read = new RequestRights(true);
    read.admitted(again);
    read.committed();
    pass();
    await read.confirm();
    expect(again).toHaveBeenCalledTimes(1);
  });

  it('a committed write settles the rights of the request for which its own was sent, and a read does not', async () => {
    new RequestRights(true, rights).committed();
    expect((pass(), rights.isOld)).toBe(true);
    new RequestRights(false, rights).committed();
    expect(rights.isOld).toBe(false);
  });
});
