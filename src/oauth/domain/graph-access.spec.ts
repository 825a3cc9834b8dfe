import { describe, expect, it } from '@jest/globals';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { graphAccessFrom, grantedDetails } from './graph-access.js';

const details = (fields: object) => graphAccessFrom(JSON.stringify([{ type: 'graph_access', ...fields }]));

describe('authorization_details (rule 14.2c)', () => {
  it('actions, optional ones, schemas, purpose and days are read', () => {
    const read = { schema_ids: ['__freeform__'], allow_all: false };
    expect(
      details({
        actions: ['read', 'files:read'],
        optional: ['create'],
        locations: ['https://a/mcp'],
        schemas: { read },
        purpose: ' Weekly review ',
        expires_in_days: 90,
      }),
    ).toEqual({
      scopes: ['graph:read', 'files:read'],
      optional: ['graph:create'],
      schemas: { read },
      purpose: 'Weekly review',
      days: 90,
      locations: ['https://a/mcp'],
    });
  });

  it.each([
    ['no JSON', 'x'],
    ['an object', '{"type":"graph_access"}'],
    ['two objects', '[{"type":"graph_access"},{"type":"graph_access"}]'],
    ['another type', '[{"type":"payment"}]'],
    ['an unknown field', '[{"type":"graph_access","tags":[]}]'],
    ['an unknown action', '[{"type":"graph_access","actions":["approve"]}]'],
    ['actions of a prototype', '[{"type":"graph_access","actions":["constructor"]}]'],
    ['no list of actions', '[{"type":"graph_access","actions":"read"}]'],
    ['another kind of schemas', '[{"type":"graph_access","schemas":{"both":{}}}]'],
    [
      'too many schemas',
      `[{"type":"graph_access","schemas":{"read":{"schema_ids":${JSON.stringify(Array(101).fill('x'))}}}}]`,
    ],
    ['a long purpose', `[{"type":"graph_access","purpose":"${'x'.repeat(201)}"}]`],
    ['a purpose with hidden characters', '[{"type":"graph_access","purpose":"a\\u202eb"}]'],
    ['half a day', '[{"type":"graph_access","expires_in_days":0.5}]'],
    ['locations that are no texts', '[{"type":"graph_access","locations":[1]}]'],
  ])('details of a request with %s are refused', (_, text) => {
    expect(() => graphAccessFrom(text)).toThrow(OAuthError);
  });

  it('the granted details name the actions and schemas that remain, and no profile', () => {
    const schemas = { read: { schema_ids: ['a'], allow_all: false } };
    expect(grantedDetails('id', { scopes: ['graph:read'], schemas, purpose: null })).toEqual([
      {
        type: 'graph_access',
        authorization_id: 'id',
        actions: ['read'],
        schemas: { read: schemas.read, write: { schema_ids: [], allow_all: false } },
      },
    ]);
  });
});
