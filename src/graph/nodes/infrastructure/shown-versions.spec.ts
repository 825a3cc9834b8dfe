import { exposureOf } from '../../../../test/support/exposures.js';
import { openTransaction } from '../../../kernel/database/transaction.js';
import { type Access, ownerAccess, TagVocabulary } from '../../../privacy/index.js';
import { type LoggedStep, type NodeStepsQueries } from './node-steps.queries.js';
import { ShownVersions } from './shown-versions.js';

const owner = ownerAccess({
  ownerId: 'owner',
  vocabulary: new TagVocabulary([]),
  key: 'key',
  changes: 0,
  policy: 0,
});
const access: Access = {
  ...owner,
  isUserKey: false,
  isOwner: false,
  exposure: exposureOf([], 'summary'),
};
const facts = { id: 'id', tagIds: [], schemaId: null, nodeType: 'note', createdAt: new Date() };

/**
 * A log in which each node's versions after the first change the hidden value, or the title if they are in
 * `shown`.
 */
class Steps {
  readonly asked: { id: string; after: number }[] = [];
  statements = 0;
  versions: Record<string, number> = {};
  shown: number[] = [];

  after(_ownerId: string, nodes: readonly { id: string; after: number }[]) {
    this.asked.push(...nodes);
    this.statements++;
    const steps = nodes.flatMap(({ id, after }) =>
      Array.from({ length: (this.versions[id] ?? 0) - after }, (_, index): LoggedStep => {
        const version = after + index + 1;
        return {
          nodeId: id,
          sequence: version,
          version,
          action: version === 1 ? 'created' : 'updated',
          at: new Date(version).toISOString(),
          fields: version === 1 ? null : [this.shown.includes(version) ? 'title' : 'value'],
          before: facts,
          after: facts,
        };
      }),
    );
    return Promise.resolve({ steps, isFull: false });
  }
}

describe('ShownVersions', () => {
  let steps: Steps;
  let versions: ShownVersions;
  beforeEach(() => {
    steps = new Steps();
    versions = new ShownVersions(steps as unknown as NodeStepsQueries);
  });
  const numberOf = async (id: string): Promise<number | undefined> =>
    (await versions.numbersOf(access, id, [steps.versions[id] ?? 0]))[0];
  const within = <T>(work: () => Promise<T>): Promise<T> =>
    openTransaction.run({ transaction: {} as never }, work);

  it('cached counts are measured again whenever they have grown', async () => {
    const { known } = versions as unknown as { known: { calculatedSize: number } };
    steps.versions = { a: 2, b: 2, c: 2 };
    const sizes = [];
    for (const id of ['a', 'b', 'c']) {
      await numberOf(id);
      sizes.push(known.calculatedSize);
    }
    // A node and a run of hidden versions each, and one for the entry.
    expect(sizes).toEqual([3, 5, 7]);
  });

  it('counting takes one statement, whether or not the versions were counted before', async () => {
    steps.versions = { a: 1, b: 3 };
    for (const id of ['a', 'b', 'b']) await numberOf(id);
    expect(steps.statements).toBe(3);
  });

  it('concurrent requests count each step once', async () => {
    steps.versions = { a: 4 };
    steps.shown = [3];
    expect(await Promise.all([numberOf('a'), numberOf('a')])).toEqual([2, 2]);
  });

  it('counts are carried on inside a unit of work, not begun again', async () => {
    steps.versions = { a: 3 };
    await numberOf('a');
    steps.versions = { a: 4 };
    steps.asked.length = 0;
    expect(await within(() => numberOf('a'))).toBe(1);
    expect(steps.asked).toEqual([{ id: 'a', after: 3 }]);
  });

  it('counts of a unit of work that may be taken back are not stored', async () => {
    steps.versions = { a: 3 };
    await numberOf('a');
    steps.versions = { a: 4 };
    await within(() => numberOf('a'));
    steps.shown = [4];
    expect(await numberOf('a')).toBe(2);
  });

  it('the last of the versions under a number is named as of the time of naming', async () => {
    steps.versions = { a: 6 };
    steps.shown = [3];
    const named = (number: number, seen?: number) =>
      versions.versionOf(access, { id: 'a', version: 6 }, { number, seen });
    expect(await Promise.all([named(1), named(1, 1), named(1, 2), named(1, 6)])).toEqual([1, 1, 2, 2]);
    expect(await Promise.all([named(2), named(2, 2), named(2, 5), named(2, 6), named(2, 9)])).toEqual([
      3, 3, 5, 6, 6,
    ]);
  });
});
