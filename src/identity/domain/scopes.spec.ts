import { describe, expect, it } from '@jest/globals';
import { permissionsOf, RAW_FILE_SCHEMA_ID, scopesFor, scopesIn, scopesOf, SCOPES } from './scopes.js';
import { requestsTag } from './requested-permissions.js';

describe('scopes (rule 14.2)', () => {
  it('editing and deleting bring reading along, and unknown scopes are left out', () => {
    expect(scopesOf(['graph:edit', 'openid'])).toEqual(['graph:read', 'graph:edit']);
    expect(scopesOf(['graph:delete'])).toEqual(['graph:read', 'graph:delete']);
    expect(scopesOf(['graph:*', 'write', ''])).toEqual([]);
  });

  it('every set of scopes comes back from its permissions', () => {
    for (let bits = 0; bits < 1 << SCOPES.length; bits++) {
      const scopes = scopesOf(SCOPES.filter((_, place) => bits & (1 << place)));
      expect(scopesIn(permissionsOf(scopes))).toEqual(scopes);
    }
  });

  it('editing alone does not contain deleting', () => {
    expect(requestsTag(permissionsOf(['graph:read', 'graph:edit']), 'delete')).toBe(false);
  });

  it('schemas are all for the scopes that use them, none for the others, and those of the details where limited', () => {
    const all = { schema_ids: [], allow_all: true };
    const none = { schema_ids: [], allow_all: false };
    expect(permissionsOf(['graph:read']).schemas).toEqual({ read: all, write: none });
    expect(permissionsOf(['graph:propose']).schemas).toEqual({ read: none, write: all });
    const limited = { schema_ids: ['__freeform__'], allow_all: false };
    expect(permissionsOf(['graph:read'], { read: limited, write: all }).schemas).toEqual({
      read: limited,
      write: none,
    });
  });

  it('files alone are read through their schema, and deleting writes', () => {
    const files = permissionsOf(['files:read']);
    expect([files.files.read, files.schemas.read]).toEqual([
      true,
      { schema_ids: [RAW_FILE_SCHEMA_ID], allow_all: false },
    ]);
    expect(permissionsOf(['graph:read', 'graph:delete']).schemas.write.allow_all).toBe(true);
  });

  it('permissions of endpoints need the scopes of their verbs', () => {
    expect(scopesFor('tags.create_new')).toEqual(['graph:create']);
    expect(scopesFor('tags.edit')).toEqual(['graph:read', 'graph:edit']);
    expect(scopesFor('files.read')).toEqual(['files:read']);
  });
});
