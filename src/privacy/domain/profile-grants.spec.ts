import { type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { mayAssignTags, maySchema } from './access.js';
import { ceilingOf, isBeyond, lowerCeiling } from './ceiling.js';
import { effective, grantedBy, missingPermissions } from './profile-grants.js';
import { emptyRules, type NamedRules, templateRules } from './profile-rules.js';
import { byName } from './tags/tag-references.js';
import { TagVocabulary } from './tags/tag-vocabulary.js';

const A = '00000002-0000-7000-8000-00000000000a';
const GONE = '00000002-0000-7000-8000-00000000000b';
const vocabulary = new TagVocabulary([
  { id: A, name: 'a', deleted: false },
  { id: GONE, name: 'gone', deleted: true },
]);
const requested = (declared: object): RequestedPermissions => requestedPermissionsFrom(declared);
const granted = (tag_permissions: object, more: Partial<NamedRules> = {}) => {
  const rules = emptyRules();
  const permissions = { ...rules.tag_permissions, ...tag_permissions };
  return grantedBy(
    { rules: byName({ ...rules, tag_permissions: permissions, ...more }), isActive: true },
    vocabulary,
  );
};
const all = { tag_ids: [], allow_all: true };
const EVERYTHING = requested({
  tags: { discover: true, read: true, propose: true, write: true, delete: true },
  schemas: { read: { allow_all: true }, write: { allow_all: true } },
});

describe('granted and requested', () => {
  it('effective permissions are nothing where one of the two is nothing', () => {
    const full = granted(templateRules('transparent').tag_permissions);
    expect(missingPermissions(ceilingOf(EVERYTHING), effective(ceilingOf(requested({})), full))).toHaveLength(
      8,
    );
    expect(
      missingPermissions(ceilingOf(EVERYTHING), effective(ceilingOf(EVERYTHING), granted({}))),
    ).toHaveLength(8);
  });

  it('effective permissions let tags be discovered that may be read, proposed, edited or created with, not only deleted (rule 3.9)', () => {
    const of = (verb: string) =>
      effective(ceilingOf(EVERYTHING), granted({ [verb]: { tag_ids: [A], allow_all: false } }));
    for (const verb of ['discover', 'read', 'propose', 'edit', 'create']) {
      expect([...of(verb).tags.discover.tagIds]).toEqual([A]);
    }
    expect([...of('delete').tags.discover.tagIds]).toEqual([]);
  });

  it('effective permissions let new tags be made only where every tag may be discovered (rule 3.7)', () => {
    const some = { tag_ids: [A], allow_all: false };
    const makes = (tags: object, discover: object) =>
      effective(
        ceilingOf(requested({ tags })),
        granted({ discover, create: { ...some, allow_new: true }, edit: { ...some, allow_new: true } }),
      ).tags;
    const [wide, narrow, unasked] = [
      makes({ discover: true, write: true }, all),
      makes({ discover: true, write: true }, some),
      makes({ write: true }, all),
    ].map(({ create, edit }) => [create.allowNew, edit.allowNew]);
    expect([wide, narrow, unasked]).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('effective permissions take delete from edit where the profile does not speak of it (rule 3.8)', () => {
    expect(granted({ edit: all }).tags.delete.allowAll).toBe(true);
    expect(granted({ edit: all, delete: { tag_ids: [A], allow_all: false } }).tags.delete.allowAll).toBe(
      false,
    );
  });

  it('effective permissions leave out deleted tags, and everything of an inactive profile', () => {
    expect([...granted({ read: { tag_ids: [A, GONE], allow_all: false } }).tags.read.tagIds]).toEqual([A]);
    const rules = byName(templateRules('transparent'));
    expect(
      missingPermissions(ceilingOf(EVERYTHING), grantedBy({ rules, isActive: false }, vocabulary)),
    ).toHaveLength(8);
  });
});

describe('ceilingOf (rule 2.7)', () => {
  const schemas = (...schema_ids: string[]) => ({ schemas: { read: { schema_ids } } });

  it('the ceiling is the smaller of what was approved and what is asked for', () => {
    const lower = lowerCeiling(
      ceilingOf(requested({ tags: { write: true } })),
      ceilingOf(requested({ tags: { edit: true, read: true } })),
    );
    expect(lower.tags).toEqual({
      discover: false,
      read: false,
      propose: false,
      edit: true,
      create: false,
      delete: true,
    });
    const both = lowerCeiling(
      ceilingOf(requested(schemas('x', 'y'))),
      ceilingOf(requested(schemas('y', 'z'))),
    );
    expect([...both.schemas.read.schemaIds]).toEqual(['y']);
  });

  it.each<[boolean, object, object]>([
    [false, { tags: { edit: true } }, { tags: { write: true } }],
    [false, { tags: { delete: true } }, { tags: { edit: true } }],
    [false, { files: { read: true } }, { tags: { read: true } }],
    [true, { tags: { read: true } }, { files: { read: true } }],
    [true, { tags: { edit: true } }, { tags: { edit: true, delete: false } }],
    [true, schemas('x'), schemas('y')],
    [true, { schemas: { read: { allow_all: true } } }, schemas('x')],
    [false, schemas('x'), { schemas: { read: { allow_all: true } } }],
  ])('the ceiling is exceeded: %s, by %j over %j', (isExceeded, asked, approved) => {
    expect(isBeyond(ceilingOf(requested(asked)), ceilingOf(requested(approved)))).toBe(isExceeded);
  });
});

describe('assigning tags (rule 3.7)', () => {
  const may = (
    verb: 'create' | 'edit' | 'propose',
    grant: object,
    tagIds: string[],
    newNames: string[] = [],
  ) => mayAssignTags(granted({ [verb]: grant }), verb, { tagIds, newNames });
  const onlyA = { tag_ids: [A], allow_all: false };

  it('needs every tag in the grant', () => {
    expect(may('edit', onlyA, [A])).toBe(true);
    expect(may('edit', onlyA, [A, GONE])).toBe(false);
    expect(may('propose', all, [A, GONE])).toBe(true);
  });

  it('needs allow_new for tags that do not exist; absent, it is as allow_all', () => {
    expect(may('create', all, [], ['new'])).toBe(true);
    expect(may('create', { ...all, allow_new: false }, [], ['new'])).toBe(false);
    expect(may('create', onlyA, [A], ['new'])).toBe(false);
    expect(may('create', { ...onlyA, allow_new: true }, [A], ['new'])).toBe(true);
  });

  it('needs all tags for a node without any, when it is created', () => {
    expect(may('create', { ...onlyA, allow_new: true }, [])).toBe(false);
    expect(may('create', { ...all, allow_new: false }, [])).toBe(true);
    expect(may('edit', onlyA, [])).toBe(true);
  });
});

it('a schema grant names nodes without a schema by __freeform__', () => {
  const schema_permissions = {
    read: { schema_ids: ['__freeform__'], allow_all: false },
    write: { schema_ids: [A], allow_all: false },
  };
  const access = granted({}, { schema_permissions });
  expect([maySchema(access, 'read', null), maySchema(access, 'read', A)]).toEqual([true, false]);
  expect([maySchema(access, 'write', null), maySchema(access, 'write', A)]).toEqual([false, true]);
});
