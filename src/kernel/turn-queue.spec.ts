import { TurnQueue } from './turn-queue.js';

/** Everything in the queue, in the order of turns. */
function emptied(queue: TurnQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe('a queue of turns', () => {
  let queue: TurnQueue<string>;
  beforeEach(() => {
    queue = new TurnQueue();
    for (const item of ['m1', 'm2', 'm3']) queue.add('mallory', item);
    queue.add('alice', 'a1');
  });

  it('gives each person one turn before anyone has a second one', () => {
    queue.add('alice', 'a2');
    expect(emptied(queue)).toEqual(['m1', 'a1', 'm2', 'a2', 'm3']);
    expect(queue.isEmpty).toBe(true);
  });

  it('puts a person who comes back behind all who wait', () => {
    expect([queue.take(), queue.take()]).toEqual(['m1', 'a1']);
    queue.add('bob', 'b1');
    queue.add('alice', 'a2');
    expect(emptied(queue)).toEqual(['m2', 'b1', 'a2', 'm3']);
  });

  it('passes over persons who may not come yet, who keep their place', () => {
    expect(queue.take((person) => person !== 'mallory')).toBe('a1');
    expect(queue.take((person) => person !== 'mallory')).toBeUndefined();
    expect(queue.isEmpty).toBe(false);
    queue.add('alice', 'a2');
    expect(emptied(queue)).toEqual(['m1', 'a2', 'm2', 'm3']);
  });
});
