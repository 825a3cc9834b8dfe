import { changeSchema, deletedSchema, generatedUri, newSchema, refuseOversize, subjectOf } from './schema.js';

const BIRTH = {
  owner_id: 'owner',
  id: 'schema',
  schema_uri: 'user.owner:Book',
  created_by_app_id: null,
  at: new Date(0),
};
const FIELDS = { name: 'Book', json_schema: {} };

describe('a schema (rules 5.1, 5.2)', () => {
  it('a new schema is public, at version 1, and has no audience', () => {
    expect(newSchema(BIRTH, FIELDS)).toMatchObject({ scope: 'public', private_to: null, version: 1 });
    expect(newSchema(BIRTH, { ...FIELDS, private_to: 'user' })).toMatchObject({ private_to: null });
  });

  it('a private schema needs an audience, and apps only if an app made it', () => {
    const refused = { code: 'VALIDATION_ERROR' };
    expect(() => newSchema(BIRTH, { ...FIELDS, scope: 'private' })).toThrow(expect.objectContaining(refused));
    const forApps = { ...FIELDS, scope: 'private', private_to: 'app' } as const;
    expect(() => newSchema(BIRTH, forApps)).toThrow(expect.objectContaining(refused));
    expect(newSchema({ ...BIRTH, created_by_app_id: 'app' }, forApps)).toMatchObject({ private_to: 'app' });
  });

  it('a change makes the next version, names what differs, and leaves absent fields', () => {
    const schema = newSchema(BIRTH, { ...FIELDS, description: 'a book' });
    const change = changeSchema(schema, { name: 'Novel', description: undefined }, new Date(1));
    expect(change?.schema).toMatchObject({ name: 'Novel', description: 'a book', version: 2 });
    expect(Object.keys(change?.changed ?? {})).toEqual(['name']);
  });

  it('a change that differs in nothing makes no version', () => {
    expect(changeSchema(newSchema(BIRTH, FIELDS), { name: 'Book' }, new Date(1))).toBeNull();
    expect(changeSchema(newSchema(BIRTH, FIELDS), {}, new Date(1))).toBeNull();
  });

  it('a deletion is a version of its own', () => {
    expect(deletedSchema(newSchema(BIRTH, FIELDS), new Date(1))).toMatchObject({
      version: 2,
      deleted_at: new Date(1),
    });
  });

  it.each([
    ['Reading List', 'user.01890a5d:ReadingList'],
    ['résumé (2nd)', 'user.01890a5d:Resume2nd'],
    ['日本', 'user.01890a5d:Schema'],
  ])('the generated URI of a schema named %s is %s', (name, uri) => {
    expect(generatedUri(name, { kind: 'user', id: '01890a5d-ac96-774b-bcce-b302099a8057' })).toBe(uri);
  });
});

describe('the part of metadata that a schema checks (rule 5.4)', () => {
  it.each([
    [{ properties: { a: 1 }, other: 2 }, { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    [{ properties: [1] }, { properties: [1] }],
    [null, {}],
    [undefined, {}],
  ])('the checked part of %j is %j', (metadata, subject) => {
    expect(subjectOf(metadata)).toEqual(subject);
  });
});

describe('a JSON Schema that is too large to check (rule 5.5)', () => {
  const nested = (levels: number): Record<string, unknown> =>
    levels === 1 ? {} : { not: nested(levels - 1) };

  it('a schema of 32 levels is accepted, one of 33 is refused', () => {
    expect(() => refuseOversize(nested(32))).not.toThrow();
    expect(() => refuseOversize(nested(33))).toThrow('32 levels');
  });

  it('a schema of 64 KiB is accepted, one byte more is refused', () => {
    const ofBytes = (bytes: number) => ({ title: 'x'.repeat(bytes - JSON.stringify({ title: '' }).length) });
    expect(() => refuseOversize(ofBytes(64 * 1024))).not.toThrow();
    expect(() => refuseOversize(ofBytes(64 * 1024 + 1))).toThrow('65536 bytes');
  });
});
