import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OpenRequests } from './open-requests.js';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setTimeout(done, 0));
};

describe('OpenRequests', () => {
  const reading = () => {
    const open = new OpenRequests((method) => method === 'listen');
    const input = new PassThrough();
    let isOver = false;
    const all = text(open.before(input)).finally(() => (isOver = true));
    return { open, input, all, isOver: () => isOver };
  };

  it('an input ends when the requests before its end have their answers', async () => {
    const { open, input, all, isOver } = reading();
    input.write('asked');
    for (const id of [1, 2]) open.begun({ id, method: 'ping' });
    open.begun({ method: 'notified' });
    input.end();
    await turns();
    open.answered({ id: 1 });
    open.answered({ method: 'announced' });
    await turns();
    expect(isOver()).toBe(false);
    open.answered({ id: 2 });
    expect(await all).toBe('asked');
  });

  it('an input without open requests ends at once, one that listens among them', async () => {
    const { open, input, all } = reading();
    open.begun({ id: 1, method: 'listen' });
    input.end('asked');
    expect(await all).toBe('asked');
  });
});
