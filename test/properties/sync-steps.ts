import fc from 'fast-check';
import { ASKED, type Asked, type Caller } from './sync-model.js';

/** The parts that a pull includes beside nodes. */
export type Include = '' | 'relationships' | 'tags' | 'relationships,tags';

/** Numbers are taken modulo the existing things, so that every step has a meaning in every world. */
export type Step =
  | { do: 'connect'; from: number; to: number }
  | { do: 'edit edge'; edge: number; field: 'type' | 'context' | 'strength' }
  | { do: 'disconnect'; edge: number }
  | { do: 'describe tag'; tag: number; parent: number | null }
  | { do: 'create'; tags: number[]; type: number; schema: boolean }
  | { do: 'edit'; node: number; field: 'title' | 'value' | 'type' | 'schema' | 'importance' }
  | { do: 'retag'; node: number; tags: number[] }
  | { do: 'untag'; node: number; tag: number }
  | { do: 'delete' | 'restore'; node: number }
  | { do: 'make tag' | 'delete tag'; tag: number }
  | { do: 'rename tag'; tag: number; name: number }
  | { do: 'grant'; profile: number; all: boolean; tags: number[] }
  | { do: 'exclude'; profile: number; tags: number[] }
  | { do: 'exclude names'; profile: number; names: number[] }
  | { do: 'exclude types'; profile: number; types: number[] }
  | { do: 'allow nodes'; profile: number; nodes: number[] }
  | { do: 'detail'; profile: number; detail: 'full' | 'summary' | 'minimal' }
  | { do: 'transform'; profile: number; change: 'none' | 'cut' | 'mask' | 'round' }
  | { do: 'switch profile on or off'; profile: number }
  | { do: 'change profile' }
  | { do: 'revoke' | 'authorize' }
  | { do: 'ask'; asked: Asked }
  | {
      do: 'pull';
      caller: Caller;
      scope: number;
      limit: number;
      pages: number;
      loses: boolean;
      include: Include;
    }
  | { do: 'go back'; caller: Caller; scope: number; to: number }
  | { do: 'start anew'; caller: Caller; scope: number };

const index = fc.nat({ max: 7 });
const some = fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 });
const profile = fc.nat({ max: 1 });
const caller = fc.constantFrom<Caller>('app', 'app', 'app', 'owner');
const scope = fc.constantFrom(0, 0, 0, 1, 2, 3);
const include = fc.constantFrom<Include>(
  '',
  'relationships',
  'tags',
  'relationships,tags',
  'relationships,tags',
);
const step = <D extends Step['do']>(
  name: D,
  parts: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Step> => fc.record({ do: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<Step>;

const pulling = fc.oneof(
  {
    weight: 5,
    arbitrary: step('pull', {
      caller,
      scope,
      limit: fc.constantFrom(1, 2, 3, 5, 100),
      pages: fc.constantFrom(1, 2, 99, 99),
      loses: fc.boolean(),
      include,
    }),
  },
  { weight: 1, arbitrary: step('go back', { caller, scope, to: index }) },
  { weight: 1, arbitrary: step('start anew', { caller, scope }) },
);

const writing = fc.oneof(
  { weight: 4, arbitrary: step('create', { tags: some, type: index, schema: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: step('edit', {
      node: index,
      field: fc.constantFrom('title', 'value', 'type', 'schema', 'importance'),
    }),
  },
  { weight: 4, arbitrary: step('retag', { node: index, tags: some }) },
  { weight: 1, arbitrary: step('untag', { node: index, tag: index }) },
  { weight: 3, arbitrary: step('delete', { node: index }) },
  { weight: 2, arbitrary: step('restore', { node: index }) },
  { weight: 1, arbitrary: step('make tag', { tag: index }) },
  { weight: 1, arbitrary: step('delete tag', { tag: index }) },
  { weight: 3, arbitrary: step('rename tag', { tag: index, name: index }) },
  { weight: 5, arbitrary: step('connect', { from: index, to: index }) },
  {
    weight: 2,
    arbitrary: step('edit edge', { edge: index, field: fc.constantFrom('type', 'context', 'strength') }),
  },
  { weight: 2, arbitrary: step('disconnect', { edge: index }) },
  { weight: 1, arbitrary: step('describe tag', { tag: index, parent: fc.option(index) }) },
);

const ruling = fc.oneof(
  { weight: 3, arbitrary: step('grant', { profile, all: fc.boolean(), tags: some }) },
  { weight: 2, arbitrary: step('exclude', { profile, tags: some }) },
  { weight: 2, arbitrary: step('exclude names', { profile, names: some }) },
  { weight: 1, arbitrary: step('exclude types', { profile, types: some }) },
  { weight: 1, arbitrary: step('allow nodes', { profile, nodes: some }) },
  {
    weight: 2,
    arbitrary: step('detail', { profile, detail: fc.constantFrom('full', 'summary', 'minimal') }),
  },
  {
    weight: 2,
    arbitrary: step('transform', { profile, change: fc.constantFrom('none', 'cut', 'mask', 'round') }),
  },
  { weight: 1, arbitrary: step('switch profile on or off', { profile }) },
  { weight: 2, arbitrary: step('change profile', {}) },
  { weight: 1, arbitrary: step('revoke', {}) },
  { weight: 2, arbitrary: step('authorize', {}) },
  { weight: 2, arbitrary: step('ask', { asked: fc.constantFrom(...ASKED) }) },
);

/** One client's pull, with writes and rules between its pages: the place where a feed would lose things. */
const interrupted = fc
  .record({
    caller,
    scope,
    anew: fc.boolean(),
    include,
    limits: fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 3 }),
    between: fc.array(fc.oneof({ weight: 3, arbitrary: writing }, { weight: 1, arbitrary: ruling }), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ caller: who, scope: where, anew, include: parts, limits, between }): Step[] => {
    const some = (limit: number, pages: number): Step => ({
      do: 'pull',
      caller: who,
      scope: where,
      limit,
      pages,
      loses: false,
      include: parts,
    });
    const share = Math.ceil(between.length / limits.length);
    return [
      ...(anew ? [{ do: 'start anew', caller: who, scope: where } as const] : []),
      ...limits.flatMap((limit, index) => [
        some(limit, 1),
        ...between.slice(index * share, (index + 1) * share),
      ]),
      some(100, 99),
    ];
  });

const alone = fc
  .oneof(
    { weight: 5, arbitrary: writing },
    { weight: 3, arbitrary: ruling },
    { weight: 4, arbitrary: pulling },
  )
  .map((one): Step[] => [one]);

/** Stories of writes, rules and pulls. */
export const stories = fc
  .array(fc.oneof({ weight: 4, arbitrary: alone }, { weight: 1, arbitrary: interrupted }), {
    minLength: 3,
    maxLength: 10,
  })
  .map((parts) => parts.flat());
