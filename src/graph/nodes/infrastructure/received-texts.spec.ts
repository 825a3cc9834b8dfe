import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type IncomingShares, type SharedAccess, visibility } from '../../../privacy/index.js';
import {
  type ListPosition,
  nodesAt,
  readableNodes,
  sharedSubQueries,
  STORED_TIME,
} from '../../lists/index.js';
import { mergedNodes } from './merged-nodes.js';

const OWNER = '00000000-0000-4000-8000-000000000001';
const ID = '00000000-0000-4000-8000-000000000002';
const FILTER = {
  search: 'sought',
  properties: [{ path: ['city'], comparisons: [{ operator: 'eq', value: 'Lisbon' }] }],
} as const;
const TEXTS = /strpos\(|-> 'properties'/;

/** A statement without what it computes for some rows only. */
function forAllRows({ text }: Sql): string {
  const inner = /CASE WHEN (?:(?!CASE WHEN).)*? END/s;
  let rest = text;
  while (inner.test(rest)) rest = rest.replace(inner, '');
  return rest;
}

const exposure = { detail: 'full' };
const received = (granted: SharedAccess['granted']): IncomingShares => {
  const access = { ownerId: OWNER, granted, exposure } as unknown as SharedAccess;
  return {
    ownerIds: [OWNER],
    accesses: [access],
    within: visibility.taggedAny([ID]),
    accessTo: () => access,
  } as unknown as IncomingShares;
};
const own = { ownerId: ID, nodes: { read: visibility.taggedAny([ID]) }, exposure } as unknown as Access;
const columns = (): Sql => sql`n.id`;

describe('conditions on texts', () => {
  it.each([
    ['everything', visibility.all],
    ['some tags', visibility.taggedAny([ID])],
    ['some nodes', visibility.idIn([ID])],
    ['tags or nodes', visibility.or(visibility.taggedAny([ID]), visibility.idIn([ID]))],
    ['nodes with tags of two lists', visibility.and(visibility.taggedAny([ID]), visibility.idIn([ID]))],
  ])('a filter looks into texts of received nodes only, of a sharer of %s', (_, granted) => {
    const graphs = received(granted);
    const place = { ownerId: OWNER, id: ID } as ListPosition;
    const list = mergedNodes(
      { own, received: graphs },
      { access: 'all', filter: {}, receivedFilter: FILTER, sort: 'created_at', order: 'desc' },
      { total: 0, updatedAt: STORED_TIME },
    );
    const order = { key: sql`n.id`, direction: sql`ASC`, most: 1, also: sql`TRUE` };
    const statements = [
      ...list.search(graphs),
      ...sharedSubQueries(graphs, FILTER).flatMap((arm) => [arm.select(columns()), arm.first(order)]),
      ...nodesAt(graphs, FILTER, { places: [place], columns }),
    ];
    expect(statements.length).toBeGreaterThanOrEqual(4);
    for (const statement of statements) {
      expect(statement.text).toMatch(TEXTS);
      expect(forAllRows(statement)).not.toMatch(TEXTS);
    }
  });

  it('a filter looks into texts of readable nodes only in the own graph', () => {
    const statement = readableNodes(own, FILTER);
    expect(statement.text).toMatch(TEXTS);
    expect(forAllRows(statement)).not.toMatch(TEXTS);
  });
});
