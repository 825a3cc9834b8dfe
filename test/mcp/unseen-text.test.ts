import { type Client } from '../support/client.js';
import { callTool } from '../support/mcp.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

/** "hi" in the block of tags: most fonts draw nothing, and models read it. */
const HIDDEN = '\u{E0068}\u{E0069}';

describe('suggestions of assistants with characters that nobody sees (rule 15.6)', () => {
  let world: World;
  let person: TestUser;
  let app: Client;
  let id: string;
  withWorld((started) => (world = started));
  beforeAll(async () => {
    const made = await world.app();
    person = await world.user();
    app = await person.lets(made);
    id = (await person.post('/nodes', { title: 'Bake', node_type: 'note', value: 'Bread' })).body
      .id as string;
  });

  const warningsOf = async (suggestion: Record<string, unknown>) => {
    const given = { title: 'Tidy up', reason: 'Asked to', ...suggestion };
    const { structuredContent, isError, content } = await callTool(app, 'propose_change', given);
    if (isError) throw new Error(content[0]?.text);
    const { body } = await person.get(`/proposals/${structuredContent.proposal.id as string}/diff`);
    return body as {
      warnings: { path: string; characters: string[] }[];
      entries: { fields: { field: string; after: unknown }[] }[];
    };
  };
  /** The field of the first entry to which a warning's path leads. */
  const fieldAt = ({ entries }: Awaited<ReturnType<typeof warningsOf>>, path: string) => {
    const [, entry, place] = /^entries\.(\d+)\.fields\.(\d+)\./.exec(path) ?? [];
    return entries[Number(entry)]?.fields[Number(place)]?.field;
  };

  it.each<[string, object, string, string[]]>([
    ['the title', { title: 'Loaf\u200B' }, 'title', ['U+200B ZERO WIDTH SPACE']],
    ['the text', { text: `Rye ${HIDDEN}` }, 'value', ['U+E0068', 'U+E0069']],
    [
      'the text',
      { text: 'safe \u202Elive\u2066' },
      'value',
      ['U+202E RIGHT-TO-LEFT OVERRIDE', 'U+2066 LEFT-TO-RIGHT ISOLATE'],
    ],
    ['a property', { properties: { flour: `rye\u2060` } }, 'metadata', ['U+2060 WORD JOINER']],
  ])('shows those in %s of a change to its reviewer: %j', async (_, fields, field, characters) => {
    const changed = await warningsOf({ update: [{ id, ...fields }] });
    expect(changed.warnings).toEqual([{ path: expect.stringMatching(/\.after/), characters }]);
    expect(fieldAt(changed, changed.warnings[0]?.path ?? '')).toBe(field);
    const created = await warningsOf({ create: [{ title: 'Loaf', ...fields }] });
    expect(created.warnings.map(({ characters: found }) => found)).toContainEqual(characters);
  });

  it('shows those in the name of a property and of a relationship', async () => {
    const properties = { [`fl${HIDDEN}our`]: 'rye' };
    const named = await warningsOf({ create: [{ title: 'Loaf', properties }] });
    expect(named.warnings.flatMap(({ characters }) => characters)).toEqual(['U+E0068', 'U+E0069']);
    const other = (await person.post('/nodes', { title: 'Swim', node_type: 'note' })).body.id as string;
    const linked = await warningsOf({ link: [{ from_id: id, to_id: other, type: 'about\u202E' }] });
    expect(linked.warnings.flatMap(({ characters }) => characters)).toEqual([
      'U+202E RIGHT-TO-LEFT OVERRIDE',
    ]);
  });

  it('shows those in the title and the reason of the suggestion itself', async () => {
    const suggestion = { title: 'Tidy\u202E up', reason: `Asked to ${HIDDEN}`, create: [{ title: 'Loaf' }] };
    expect((await warningsOf(suggestion)).warnings).toEqual([
      { path: 'title', characters: ['U+202E RIGHT-TO-LEFT OVERRIDE'] },
      { path: 'description', characters: ['U+E0068', 'U+E0069'] },
    ]);
  });

  it('refuses them in names of new tags and in types', async () => {
    for (const fields of [
      { tags: [`kit${HIDDEN}chen`] },
      { tags: ['nehctik\u202E'] },
      { node_type: 'no\u200Bte' },
    ]) {
      const create = [{ title: 'Loaf', ...fields }];
      const { isError, content } = await callTool(app, 'propose_change', { title: 'x', reason: 'y', create });
      expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('invisible characters')]);
    }
  });
});
