import { type Access, type KnownTag, TagVocabulary } from '../../../privacy/index.js';
import { lookAlikesIn } from './known-tags.js';

describe('lookAlikesIn', () => {
  it('the look-alikes of a vocabulary are living tags, and are collected once for any number of names', async () => {
    const vocabulary = new TagVocabulary([
      { id: '1', name: 'pay', deleted: false },
      { id: '2', name: 'private', deleted: true },
    ] satisfies KnownTag[]);
    let times = 0;
    const all = vocabulary.all.bind(vocabulary);
    vocabulary.all = () => {
      times++;
      return all();
    };
    const names = ['\u0440\u0430\u0443', 'priv\u0430te', 'pay'];
    const found = await Promise.all(
      names.map(async (name) => (await lookAlikesIn({ vocabulary } as Access)).of(name)),
    );
    expect(found).toEqual(['pay', null, null]);
    expect(times).toBe(1);
  });
});
