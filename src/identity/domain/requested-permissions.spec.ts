import { describe, expect, it } from '@jest/globals';
import { requestedPermissionsFrom, requestsTag, type TagVerb } from './requested-permissions.js';

const NOTHING = {
  tags: { discover: false, read: false, propose: false, create: false, edit: false, write: false },
  files: { read: false },
  schemas: { read: { schema_ids: [], allow_all: false }, write: { schema_ids: [], allow_all: false } },
};
const verbs: TagVerb[] = ['discover', 'read', 'propose', 'edit', 'create', 'delete'];
const requested = (tags: object) =>
  verbs.filter((verb) => requestsTag(requestedPermissionsFrom({ tags }), verb));

describe('requestedPermissionsFrom', () => {
  it.each([[{}], [null], [undefined], ['all'], [[]], [{ tags: 'all', files: true, schemas: [] }]])(
    'requested permissions are nothing when %j is declared',
    (declared) => {
      expect(requestedPermissionsFrom(declared)).toEqual(NOTHING);
    },
  );

  it('requested permissions count what is not the value true as false', () => {
    const declared = {
      tags: { read: 'true', edit: 1 },
      schemas: { read: { allow_all: 'yes', schema_ids: [1, null, 'x'] } },
    };
    expect(requestedPermissionsFrom(declared)).toEqual({
      ...NOTHING,
      schemas: { ...NOTHING.schemas, read: { schema_ids: ['x'], allow_all: false } },
    });
  });

  it('requested permissions keep `write` and `delete` as declared and drop what is unknown', () => {
    const { tags } = requestedPermissionsFrom({ tags: { write: true, delete: false, admin: true } });
    expect(tags).toEqual({ ...NOTHING.tags, write: true, delete: false });
  });

  it('requested permissions name each schema once, in lower case', () => {
    const id = '0197A3C2-6F0E-7C11-9D53-1A2B3C4D5E6F';
    const { schemas } = requestedPermissionsFrom({
      schemas: { write: { schema_ids: [id, id.toLowerCase(), '__freeform__'] } },
    });
    expect(schemas.write.schema_ids).toEqual([id.toLowerCase(), '__freeform__']);
  });

  it('requested permissions take `write` as create and edit, and an absent `delete` as edit', () => {
    expect(requested({ write: true })).toEqual(['edit', 'create', 'delete']);
    expect(requested({ edit: true })).toEqual(['edit', 'delete']);
    expect(requested({ create: true })).toEqual(['create']);
    expect(requested({ write: true, delete: false })).toEqual(['edit', 'create']);
    expect(requested({ delete: true })).toEqual(['delete']);
    expect(requested({ discover: true, read: true, propose: true })).toEqual(['discover', 'read', 'propose']);
  });
});
