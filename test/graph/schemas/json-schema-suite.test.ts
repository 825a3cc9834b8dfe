import { readFileSync } from 'node:fs';
import { type Client } from '../../support/client.js';
import { World } from '../../support/world.js';

interface Group {
  description: string;
  schema: boolean | Record<string, unknown>;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const DRAFTS = {
  draft7: { uri: 'http://json-schema.org/draft-07/schema#', required: 886 },
  'draft2019-09': { uri: 'https://json-schema.org/draft/2019-09/schema', required: 1_205 },
  'draft2020-12': { uri: 'https://json-schema.org/draft/2020-12/schema', required: 1_232 },
};

const AT_ONCE = 8;

const groupsOf = (draft: string) =>
  JSON.parse(readFileSync(`test/fixtures/json-schema-suite/${draft}.json`, 'utf8')) as Record<
    string,
    Group[]
  >;

/** Groups that are excluded as a whole, by file; all others must pass. */
const EXCLUDED: Record<string, Record<string, RegExp>> = {
  'refers to other documents, which are refused (rule 5.5)': {
    dynamicRef:
      /^strict-tree schema|^tests for implementation dynamic anchor|^\$ref and \$dynamicAnchor|detached \$dynamicAnchor$/,
    vocabulary: /./,
  },
  'has NUL, which no text of the service can hold': {
    const: /^nul characters in strings$/,
    enum: /^nul characters in strings$/,
  },
  'has keys that the service refuses in every object (rule 4.13)': {
    properties: /^properties whose names are Javascript object property names$/,
    required: /^required properties whose names are Javascript object property names$/,
  },
};

const isExcluded = (file: string, { description }: Group): boolean =>
  Object.values(EXCLUDED).some((byFile) => byFile[file]?.test(description) ?? false);

/**
 * Validated values are always objects (rule 5.4), and the suite's values are of any type. So the value is
 * wrapped in a member `value`, and the suite's schema is placed below `$defs` with a URI of its own: a
 * resource in which `#`, pointers and anchors mean the same as at the top of a document. In draft-07 `$id`
 * has no effect beside `$ref`, so there the resource is one step further in, below `allOf`, together with
 * the schemas that it names.
 */
function wrapped({ schema }: Group, uri: string): Record<string, unknown> {
  const isOld = uri.includes('draft-07');
  const defs = isOld ? 'definitions' : '$defs';
  if (typeof schema === 'boolean') return { $schema: uri, properties: { value: schema } };
  const body = without(schema, '$schema');
  const id =
    typeof body.$id === 'string' && !('$ref' in body && isOld) ? body.$id : 'https://suite.example/group';
  const resource = isOld && '$ref' in body ? referring(body) : body;
  const inner = { ...resource, $id: id.startsWith('#') ? `https://suite.example/group${id}` : id };
  return {
    $schema: uri,
    $id: 'https://suite.example/wrapper',
    properties: { value: { $ref: inner.$id.split('#')[0] || 'https://suite.example/group' } },
    [defs]: { suite: inner },
  };
}

const without = (schema: Record<string, unknown>, key: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([each]) => each !== key));

/** In draft-07 the siblings of `$ref` are ignored, except the schemas that it refers to. */
function referring({ $ref, definitions }: Record<string, unknown>): Record<string, unknown> {
  return { ...(definitions === undefined ? {} : { definitions }), allOf: [{ $ref }] };
}

describe('the JSON Schema Test Suite', () => {
  let world: World;
  let alice: Client;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  async function failuresOf(file: string, group: Group, uri: string): Promise<string[]> {
    const where = `${file} | ${group.description}`;
    const json_schema = wrapped(group, uri);
    const made = await alice.post('/schemas', {
      name: 'Suite',
      json_schema,
      scope: 'private',
      private_to: 'user',
    });
    if (made.status !== 201) return [`${where}: ${made.text}`];
    const failures: string[] = [];
    for (const { description, data, valid } of group.tests) {
      const metadata = { value: data };
      const answer = await alice.post(`/schemas/${made.body.id}/validate`, { metadata });
      const agrees = answer.status === 200 && answer.body.valid === valid;
      if (!agrees || (answer.body.errors.length === 0) !== valid)
        failures.push(`${where} | ${description}: ${answer.text}`);
    }
    return failures;
  }

  it.each(Object.entries(DRAFTS))(
    '%s: all required tests without other documents pass',
    async (draft, { uri, required }) => {
      const groups = Object.entries(groupsOf(draft)).flatMap(([file, all]) =>
        all.filter((group) => !isExcluded(file, group)).map((group) => ({ file, group })),
      );
      const failures: string[] = [];
      for (let start = 0; start < groups.length; start += AT_ONCE) {
        const batch = groups.slice(start, start + AT_ONCE);
        failures.push(
          ...(await Promise.all(batch.map(({ file, group }) => failuresOf(file, group, uri)))).flat(),
        );
      }
      expect(failures).toEqual([]);
      expect(groups.reduce((sum, { group }) => sum + group.tests.length, 0)).toBe(required);
    },
    600_000,
  );

  it('excludes only the listed groups', () => {
    for (const byFile of Object.values(EXCLUDED))
      for (const [file, pattern] of Object.entries(byFile)) {
        const groups = Object.keys(DRAFTS).flatMap((draft) => groupsOf(draft)[file] ?? []);
        expect(groups.some(({ description }) => pattern.test(description))).toBe(true);
      }
  });
});
