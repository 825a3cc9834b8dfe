import { exposureOf, facts, nodeWith, shownOf } from '../../../../test/support/exposures.js';
import { FieldExposure } from './field-exposure.js';
import { parseTransformations } from './parse-transformations.js';
import { pseudonymKeyOf } from './pseudonym.js';

describe('detail level', () => {
  const extras = { is_shared: false, owner: { id: 'x', username: 'jane' }, similarity_score: 0.9 };

  it('full shows every field, and without transformations the node itself', () => {
    const node = nodeWith(extras);
    expect(FieldExposure.full.expose(node, facts)).toBe(node);
    expect(exposureOf(['round_date']).expose(node, facts)).toEqual({
      ...node,
      created_at: '2024-05-17T00:00:00.000Z',
      updated_at: '2024-06-18T00:00:00.000Z',
    });
  });

  it('summary shows the listed fields and whose entry of a list it is', () => {
    const shown = exposureOf([], 'summary').expose(nodeWith(extras), facts);
    expect(Object.keys(shown).sort()).toEqual([
      'created_at',
      'id',
      'importance_score',
      'is_shared',
      'meaning_level',
      'node_type',
      'owner',
      'owner_id',
      'schema_id',
      'tags',
      'title',
      'updated_at',
      'version',
    ]);
  });

  it('minimal shows the six listed fields and nothing else', () => {
    const shown = exposureOf([], 'minimal').expose(nodeWith(extras), facts);
    expect(Object.keys(shown).sort()).toEqual([
      'created_at',
      'id',
      'meaning_level',
      'node_type',
      'schema_id',
      'updated_at',
    ]);
  });

  it('a field nobody thought of is not shown where anything is hidden', () => {
    const shown = exposureOf(['pii_redaction']).expose(nodeWith({ diary: 'jane@example.com' }), facts);
    expect(shown).not.toHaveProperty('diary');
  });

  it('leaves the node it is given as it was', () => {
    const node = nodeWith();
    exposureOf(['pii_redaction'], 'summary').expose(node, facts);
    expect(node).toEqual(nodeWith());
  });
});

describe('pii_redaction', () => {
  it('redacts title, value and every text of both metadata', () => {
    const shown = shownOf(
      ['pii_redaction'],
      nodeWith({
        title: 'Call +49 30 901820',
        metadata: { properties: { contacts: [{ note: 'IP 192.168.1.17' }] } },
        agent_metadata: { agent_name: 'bot@example.com' },
      }),
    );
    expect(shown).toMatchObject({
      title: 'Call [REDACTED:phone]',
      value: 'Her mail is [REDACTED:email]',
      metadata: { properties: { contacts: [{ note: 'IP [REDACTED:ip]' }] } },
      agent_metadata: { agent_name: '[REDACTED:email]' },
    });
  });

  it('redacts only the entities asked for, with the replacement given', () => {
    const node = nodeWith({ value: 'jane@example.com, https://example.com' });
    const config = { entities: ['url'], replacement: '<entity> hidden' };
    expect(shownOf([{ type: 'pii_redaction', config }], node)['value']).toBe('jane@example.com, url hidden');
  });

  it('takes the key as what names a number, also for numbers that are no text', () => {
    const metadata = {
      properties: {
        phone: '2125550123',
        mobile_number: 491512345678,
        card: 4111111111111111,
        count: 491512345678,
      },
      contact: { phones: [{ kind: 'home', number: '2125550123' }] },
      year: 2024,
    };
    expect(shownOf(['pii_redaction'], nodeWith({ metadata }))['metadata']).toEqual({
      properties: {
        phone: '[REDACTED:phone]',
        mobile_number: '[REDACTED:phone]',
        card: '[REDACTED:credit_card]',
        count: 491512345678,
      },
      contact: { phones: [{ kind: 'home', number: '[REDACTED:phone]' }] },
      year: 2024,
    });
  });

  it('leaves out entries whose key is an identifier', () => {
    const metadata = {
      properties: { 'jane@example.com': { since: 2020 }, friends: { '+49 30 901820': 'Bo' } },
    };
    expect(shownOf(['pii_redaction'], nodeWith({ metadata }))['metadata']).toEqual({
      properties: { friends: {} },
    });
  });
});

describe('masks', () => {
  const metadata = { properties: { email: 'jane@example.com', score: 12345, none: null, list: ['a', 'b'] } };
  const masked = (path: string, strategy?: string): unknown =>
    shownOf(
      [{ type: 'field_mask', config: { paths: [path], strategy } }].map(defined),
      nodeWith({ metadata }),
    )['metadata'];
  const defined = (value: object): unknown => JSON.parse(JSON.stringify(value));

  it('field_mask removes a key, by default too', () => {
    const rest = { properties: { score: 12345, none: null, list: ['a', 'b'] } };
    expect(masked('metadata.properties.email', 'remove')).toEqual(rest);
    expect(masked('metadata.properties.email')).toEqual(rest);
  });

  it('field_mask removes a whole field', () => {
    const shown = shownOf([{ type: 'field_mask', config: { paths: ['value', 'metadata'] } }]);
    expect(shown).not.toHaveProperty('value');
    expect(shown).not.toHaveProperty('metadata');
    expect(shown).toHaveProperty('title');
  });

  it('field_mask shows null instead', () => {
    expect(masked('metadata.properties', 'null')).toEqual({ properties: null });
  });

  it('field_mask keeps the last four characters of what is longer than four', () => {
    expect(masked('metadata.properties.email', 'last4')).toMatchObject({ properties: { email: '****.com' } });
    expect(masked('metadata.properties.score', 'last4')).toMatchObject({ properties: { score: '****2345' } });
    expect(masked('metadata.properties.list', 'last4')).toMatchObject({
      properties: { list: ['****', '****'] },
    });
    expect(masked('metadata.properties.none', 'last4')).toMatchObject({ properties: { none: null } });
  });

  it('field_mask hashes under the key of app and user: equal for equal values, different for another app', () => {
    const config = { paths: ['title'], strategy: 'hash' };
    const one = shownOf([{ type: 'field_mask', config }])['title'];
    const other = new FieldExposure({
      detail: 'full',
      transformations: parseTransformations([{ type: 'field_mask', config }]),
      pseudonymKey: pseudonymKeyOf('secret', 'other app', 'user'),
    }).expose(nodeWith(), facts)['title'];
    expect(one).toMatch(/^[\da-f]{32}$/);
    expect(shownOf([{ type: 'field_mask', config }])['title']).toBe(one);
    expect(other).not.toBe(one);
  });

  it('field_mask refuses to hash without a key: anybody could try guesses', () => {
    const transformations = parseTransformations([{ type: 'pseudonymize', config: { paths: ['title'] } }]);
    expect(() => new FieldExposure({ detail: 'full', transformations, pseudonymKey: '' })).toThrow('key');
  });

  it('an element of an array becomes null, so that the others keep their places', () => {
    for (const path of ['metadata.properties.list.0', 'metadata.properties.list.*'])
      expect(masked(path)).toMatchObject({ properties: { list: [null, null] } });
  });
});

describe('paths', () => {
  const metadata = {
    people: [
      { name: 'A', mail: 'a' },
      { name: 'B', mail: 'b' },
    ],
    boss: { name: 'C', mail: 'c' },
  };
  const left = (path: string): unknown =>
    shownOf([{ type: 'field_mask', config: { paths: [path] } }], nodeWith({ metadata }))['metadata'];

  it('* is any key or element', () => {
    expect(left('metadata.*.*.mail')).toEqual({
      people: [{ name: 'A' }, { name: 'B' }],
      boss: metadata.boss,
    });
    expect(left('metadata.*')).toEqual({});
  });

  it('a name met by an array is looked for in every element', () => {
    expect(left('metadata.people.mail')).toEqual({
      people: [{ name: 'A' }, { name: 'B' }],
      boss: metadata.boss,
    });
    expect(left('metadata.*.mail')).toEqual({ people: [{ name: 'A' }, { name: 'B' }], boss: { name: 'C' } });
  });

  it('values that the path does not name stay', () => {
    expect(left('metadata.people.phone')).toEqual(metadata);
    expect(left('metadata.mail')).toEqual(metadata);
  });
});
