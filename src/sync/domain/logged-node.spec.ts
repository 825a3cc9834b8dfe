import { type NodeSnapshot } from '../../graph/index.js';
import { type Access, type Visibility, visibility } from '../../privacy/index.js';
import { type LoggedNode, presenceOf } from './logged-node.js';
import { ALL, parseScope, type Scope } from './scope.js';

const WORK = '01890a5d-ac96-774b-bcce-b302099a8057';
const HOME = '01890a5d-ac96-774b-bcce-b302099a8058';
const SCHEMA = '01890a5d-ac96-774b-bcce-b302099a8059';

function logged(fields: Partial<NodeSnapshot> = {}): LoggedNode {
  const node = { id: 'node', tag_ids: [WORK], schema_id: SCHEMA, node_type: 'NOTE', ...fields };
  const created_at = '2024-05-17T10:11:12.123Z';
  return { sequence: 1, id: 'node', node: { ...node, created_at } as NodeSnapshot, changedAt: new Date(0) };
}

const reading = (read: Visibility) => ({ nodes: { read } }) as unknown as Access;
const scope = (text: string) => parseScope(text) as Scope;

describe('the presence of a node in a view (rule 7.8)', () => {
  const work = reading(visibility.taggedAny([WORK]));
  const nothing = reading(visibility.none);

  it.each([
    ['shown where the caller reads it', logged(), work, ALL, 'shown'],
    ['shown in a scope of its tag', logged(), work, scope(`tag:${WORK}`), 'shown'],
    ['shown in a scope of its schema', logged(), work, scope(`schema:${SCHEMA.toUpperCase()}`), 'shown'],
    ['elsewhere in a scope of another tag', logged(), work, scope(`tag:${HOME}`), 'elsewhere'],
    ['elsewhere in a scope of another schema', logged(), work, scope(`schema:${HOME}`), 'elsewhere'],
    ['hidden where the caller may not read it', logged({ tag_ids: [HOME] }), work, ALL, 'hidden'],
    ['hidden before it is elsewhere', logged(), nothing, scope(`tag:${HOME}`), 'hidden'],
    ['hidden where nothing was visible', logged(), null, ALL, 'hidden'],
    ['deleted before it is hidden', logged({ deleted_at: '2024-06-18' }), nothing, ALL, 'deleted'],
    ['absent where it did not exist', null, work, ALL, 'absent'],
  ] as const)('a node is %s', (_, node, access, part, standing) => {
    expect(presenceOf(node, access, part)).toBe(standing);
  });
});

describe('the scope of a replica (rule 7.11a)', () => {
  it.each([
    [undefined, ALL],
    ['all', ALL],
    [`tag:${WORK}`, { kind: 'tag', id: WORK, text: `tag:${WORK}` }],
    [`SCHEMA:${SCHEMA.toUpperCase()}`, { kind: 'schema', id: SCHEMA, text: `schema:${SCHEMA}` }],
  ])('the text %j is read as a scope, its id in lower case', (text, read) => {
    expect(parseScope(text)).toEqual(read);
  });

  it.each(['', 'ALL', 'tag:', 'tag:work', `node:${WORK}`, ` tag:${WORK}`, `tag:${WORK}0`, 7, null, ['all']])(
    'the text %j is not a scope',
    (text) => {
      expect(parseScope(text)).toBeNull();
    },
  );
});
