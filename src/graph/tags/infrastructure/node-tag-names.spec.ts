import { type Database } from '../../../kernel/database/database.js';
import { type Sql } from '../../../kernel/database/sql.js';
import { type Access, TagVocabulary } from '../../../privacy/index.js';
import { NodeTagNames } from './node-tag-names.queries.js';

const OWNERS = 2_000;

const answering = <Row>(read: (statement: Sql) => readonly Row[]): NodeTagNames =>
  new NodeTagNames({ read: (statement: Sql) => Promise.resolve(read(statement)) } as unknown as Database);

describe('NodeTagNames', () => {
  it('names of the tags of many owners are sorted by owner in one pass', async () => {
    let looks = 0;
    const rows = Array.from({ length: OWNERS }, (_, at) => ({
      get owner_id() {
        looks++;
        return `owner ${at}`;
      },
      id: `tag ${at}`,
      name: `name ${at}`,
      deleted: false,
    }));
    const vocabulary = new TagVocabulary([]);
    const accesses = new Map(
      rows.map(({ owner_id }) => [owner_id, { ownerId: owner_id, vocabulary } as unknown as Access]),
    );
    const nodes = rows.map(({ owner_id, id }) => ({ owner_id, tag_ids: [id] }));
    looks = 0;
    const knowing = await answering(() => rows).knowingAll(accesses, nodes);
    expect(looks).toBeLessThanOrEqual(2 * OWNERS);
    expect(knowing.get('owner 7')?.vocabulary.nameOf('tag 7')).toBe('name 7');
    expect(knowing.get('owner 7')?.vocabulary.nameOf('tag 8')).toBeNull();
  });

  it('the living ones among many tags are named a thousand at a time, each by its own owner', async () => {
    const asked: string[][] = [];
    const names = answering(({ values }: { values?: unknown[] } & object) => {
      const [owners, ids] = values as [string[], string[]];
      asked.push(ids);
      return ids.flatMap((id, at) =>
        id.endsWith('3') ? [] : [{ ownerId: owners[at], id, name: `${owners[at]} ${id}` }],
      );
    });
    const tags = Array.from({ length: 2_500 }, (_, at) => ({
      ownerId: `owner ${at % 2}`,
      id: `tag ${at}`,
      count: at,
    }));
    const living: [number, string][] = [];
    for await (const { tag, name } of names.living(tags)) living.push([tag.count, name]);
    expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(living).toHaveLength(2_250);
    expect(living[0]).toEqual([0, 'owner 0 tag 0']);
    expect(living.at(-1)).toEqual([2_499, 'owner 1 tag 2499']);
  });
});
