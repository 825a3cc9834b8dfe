import { atOnce } from '../../../kernel/slices.js';
import { LookAlikes } from './confusables.js';

function lookingLike(name: string, names: readonly string[]): string | null {
  const all = new LookAlikes();
  atOnce(all.add(names));
  return all.of(name);
}

describe('look-alikes', () => {
  it.each([
    ['priv\u0430te', 'private'],
    ['private\u200b', 'private'],
    ['pri\u3164vate', 'private'],
    ['private\u{e0100}', 'private'],
    ['private\u2800', 'private'],
    ['ｐｒｉｖａｔｅ', 'private'],
    ['\u0440\u0430\u0443', 'pay'],
    ['w0rk', 'work'],
    ['farni1y', 'family'],
    ['Οslo', 'oslo'],
    ['privat\u212e', 'private'],
    ['prİvate', 'private'],
  ])('a tag name such as %j looks like %s', (name, other) => {
    expect(lookingLike(name, ['else', other])).toBe(other);
  });

  it('the names among which others are sought are added in steps of one name', () => {
    const steps = new LookAlikes().add(['one', 'two', 'three']);
    expect([...steps]).toHaveLength(3);
  });

  it.each([
    ['private', 'private'],
    ['Private', 'private'],
    ['work', 'word'],
    ['мир', 'mir'],
  ])('a tag name such as %j is not held for %s', (name, other) => {
    expect(lookingLike(name, [other])).toBeNull();
  });
});
