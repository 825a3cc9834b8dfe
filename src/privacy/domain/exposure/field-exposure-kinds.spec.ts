import { exposureOf, facts, health, nodeWith, shownOf, work } from '../../../../test/support/exposures.js';
import { Slices } from '../../../kernel/slices.js';
import { FieldExposure } from './field-exposure.js';

describe('hashing', () => {
  const hash = { type: 'field_mask', config: { paths: ['title', 'value', 'metadata'], strategy: 'hash' } };
  const long = 'k'.repeat(1_000);
  const node = nodeWith({
    title: 'x',
    value: 'x',
    metadata: {
      x: 'x',
      a: { b: 'x', 0: 'x' },
      'a.b': 'x',
      'a/1:b': 'x',
      list: ['x', ['x'], 'x'],
      [long]: { b: ['x', 'x'] },
    },
  });
  const hashesOf = (shown: object): string[] =>
    [...JSON.stringify(shown).matchAll(/"([\da-f]{32})"/g)].map(([, found]) => found as string);

  it('a hash is another one in each place and in each node (rule 3.15h)', () => {
    const exposure = exposureOf([hash]);
    const all = [facts, { ...facts, id: work }].flatMap((about) => hashesOf(exposure.expose(node, about)));
    expect(all).toHaveLength(2 * 12);
    expect(new Set(all).size).toBe(all.length);
  });

  it('a hash is the same one for a value in its place, whichever way it is shown (rule 3.15h)', async () => {
    const exposure = exposureOf([hash]);
    const shown = exposure.expose(node, facts);
    const [path, value] = ['metadata', node['metadata']];
    expect(exposureOf([hash]).exposeValue(path, value, [facts, facts])).toEqual(shown['metadata']);
    const slices = new Slices(1_000);
    expect(await exposure.exposeValueInSlices({ path, value }, facts, slices)).toEqual(shown['metadata']);
    expect(exposure.exposeValue('metadata.a.b', 'x', facts)).toBe(
      (shown['metadata'] as { a: { b: unknown } }).a.b,
    );
  });
});

describe('truncate', () => {
  it('cuts texts to the number of characters, never through one', () => {
    const node = nodeWith({ title: 'a👍🏽b', value: null, metadata: { x: ['long text'] } });
    const shown = shownOf(
      [
        { type: 'truncate', config: { field: 'title', max: 2 } },
        { type: 'truncate', config: { field: 'value', max: 2 } },
        { type: 'truncate', config: { field: 'metadata.x', max: 4 } },
      ],
      node,
    );
    expect(shown).toMatchObject({ title: 'a👍', value: null, metadata: { x: ['long'] } });
  });

  it('leaves out numbers and booleans that would be longer as texts (rule 3.15g)', () => {
    const metadata = { x: { iban: 12345, short: 123, yes: true, list: [98765, 1], none: null } };
    const shown = shownOf(
      [{ type: 'truncate', config: { field: 'metadata.x', max: 3 } }],
      nodeWith({ metadata }),
    );
    expect(shown['metadata']).toEqual({ x: { short: 123, list: [null, 1], none: null } });
  });
});

describe('round_date', () => {
  const rounded = (text: string, granularity: string): unknown =>
    shownOf([{ type: 'round_date', config: { granularity } }], nodeWith({ value: text }))['value'];

  it('rounds the times of the node and every text that is a date as a whole, and leaves out dates within texts', () => {
    const metadata = { properties: { when: { start: '2024-05-17', end: 'on 2024-05-17' } } };
    expect(
      shownOf([{ type: 'round_date', config: { granularity: 'month' } }], nodeWith({ metadata })),
    ).toMatchObject({
      created_at: '2024-05-01T00:00:00.000Z',
      updated_at: '2024-06-01T00:00:00.000Z',
      metadata: { properties: { when: { start: '2024-05-01' } } },
    });
  });

  it.each([
    ['2024-05-17', 'day', '2024-05-17'],
    ['2024-05-17', 'year', '2024-01-01'],
    ['2024-05', 'day', '2024-05'],
    ['2024-05', 'year', '2024-01'],
    ['2024', 'year', '2024'],
    ['2024-05-17T10:11:12.5+02:00', 'day', '2024-05-17T00:00:00.0+02:00'],
    ['2024-05-17 10:11', 'month', '2024-05-01 00:00'],
    ['20240517T101112Z', 'month', '20240501T000000Z'],
    ['20240517', 'year', '20240101'],
    ['12345678', 'year', '12345678'],
    ['2024-13-40', 'year', '2024-13-40'],
    ['202405', 'year', '202405'],
  ])('%s by %s is %s', (text, granularity, shown) => {
    expect(rounded(text, granularity)).toBe(shown);
  });

  it.each([
    '17.05.2024',
    '17.05.24',
    '17. 05. 2024',
    '5/17/24',
    '17-05-2024 10:11',
    '2024/05/17',
    '2024-5-7',
    ' 2024-05-17',
    '2024-\u200b05-17',
    '２０２４-05-17',
    '2024-05-17T10',
    '2024-05-17T10:11:12.1234567891Z',
    '2024-05-17T10:11:12+02:00[Europe/Paris]',
    '2024-W20-5',
    'May 17, 2024',
    '17th of May 2024, 10:11 pm',
    '17. März 1987',
    '17 mai 2024 à 10:11',
    '17 de mayo de 2024',
    'Fri, 17 May 2024 10:11:12 +0200',
    'Fri May 17 2024 10:11:12 GMT+0200 (Central European Summer Time)',
    '2024\u201005\u201017',
    '2024–05–17',
    '2024−05−17',
    '2024-05-17/2024-05-18',
    '2024-05-17/18',
    '2024-05-17T10:00Z/PT1H',
    '2024-138',
    '2024-W20/2024-W22',
    '2024-05-17Z',
    '17MAY2024',
    "17 May '24",
    '17-V-2024',
    '2024.V.17',
    '2024年5月17日',
    '2024년 5월 17일',
    '٢٠٢٤-٠٥-١٧',
    '१७.०५.२०२४',
    '17 мая 2024',
    '17 мая 2024 г., 10:11',
    '١٧ مايو ٢٠٢٤',
    '17 במאי 2024',
    '17 พฤษภาคม 2567',
    'ngày 17 tháng 5 năm 2024',
    '2024. gada 17. maijs',
    '2024 m. gegužės 17 d.',
    '17. Jänner 2024',
    'miércoles, 17 de septiembre de 2024, 10:11:12 CEST',
    'on 2024-05-17',
    'IMG_20240517_101112.jpg',
    '2024-05-17-10-11',
    'Born 17.5.2024 in Rome',
    'Met on 17 May 2024',
  ])('leaves out %j, a date that it cannot round (rule 3.15g)', (text) => {
    expect(rounded(text, 'month')).toBeUndefined();
  });

  it.each([
    '05/2024',
    '2024/05',
    '2024–05',
    '2024-05/2024-06',
    '2024-05/06',
    'May 2024',
    'May – June 2024',
    'май 2024',
    '2024年5月',
    'mai de 2024',
    '2024-Q2',
  ])('leaves out the month %s where years are shown', (text) => {
    expect(rounded(text, 'year')).toBeUndefined();
    expect(rounded(text, 'month')).toBe(text);
  });

  it.each([
    '12 Mayors',
    '1.12.24',
    '192.168.20.24',
    '99/99/9999',
    'May 17 people come?',
    '3/4',
    '2024',
    'Budget 2024',
    'Since 2024 I run 12 km',
    'Top 10 of 2024',
    'You may have 12 guests in 2024',
    'Report March 2024',
    'Release 2024.1.3',
    'v1.12.2024.7',
    '+49 2024 12 05',
    'INV-2024-0012',
    '1e0f2024-0506-4127-8b05-2024060717ab',
    '12345678',
    `${'A long text of many words, '.repeat(3)}17 May 2024`,
  ])('shows %j, which holds no date', (text) => {
    expect(rounded(text, 'year')).toBe(text);
  });

  it.each(['17.05.2024', '17 мая 2024', '2024年5月17日', 'on 2024-05-17', '17MAY2024'])(
    'shows by day %j, and leaves it out with a time (rule 3.15g)',
    (text) => {
      expect(rounded(text, 'day')).toBe(text);
      expect(rounded(`${text} 10:11`, 'day')).toBeUndefined();
    },
  );

  it('leaves out whatever is no date at a path that is named (rule 3.15g)', () => {
    const dates = {
      born: 547_776_000_000,
      died: 'in spring',
      met: ['2024-05-17', 20240517, null],
      year: 1987,
    };
    const metadata = { properties: { ...dates, other: 547_776_000_000 } };
    const fields = ['born', 'died', 'met', 'year'].map((key) => `metadata.properties.${key}`);
    for (const more of [[], ['metadata']]) {
      const transformations = [{ type: 'round_date', apply_to: { fields: [...more, ...fields] } }];
      expect(shownOf(transformations, nodeWith({ metadata }))['metadata']).toEqual({
        properties: { met: ['2024-05-17', null, null], year: 1987, other: 547_776_000_000 },
      });
    }
  });

  it('works only where apply_to.fields says', () => {
    const shown = shownOf([{ type: 'round_date', apply_to: { fields: ['created_at'] } }]);
    expect(shown['created_at']).toBe('2024-05-17T00:00:00.000Z');
    expect(shown['updated_at']).toBe('2024-06-18T11:12:13.456Z');
  });
});

describe('pseudonymize', () => {
  it('gives the same name for the same value in every node, and an id for an id', () => {
    const transformations = [
      {
        type: 'pseudonymize',
        config: { paths: ['title', 'metadata.properties', 'last_modified_by_agent_id'] },
      },
    ];
    const shown = shownOf(
      transformations,
      nodeWith({ metadata: { properties: { who: 'Met Jane', n: 1, b: null } } }),
    );
    const { who, n, b } = (shown['metadata'] as { properties: Record<string, unknown> }).properties;
    expect(shown['title']).toMatch(/^pseudonym-[\da-f]{16}$/);
    expect(who).toBe(shown['title']);
    expect(n).toMatch(/^pseudonym-/);
    expect(b).toBeNull();
    expect(shown['last_modified_by_agent_id']).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
    );
  });
});

describe('apply_to', () => {
  const hides = (applyTo: object): boolean =>
    shownOf([{ type: 'field_mask', config: { paths: ['title'] }, apply_to: applyTo }])['title'] === undefined;

  it('tags: any of them; types: any of them; both lists must hold', () => {
    expect(hides({ tag_ids: [work, health] })).toBe(true);
    expect(hides({ tag_ids: [health.toUpperCase()] })).toBe(true);
    expect(hides({ tag_ids: [work] })).toBe(false);
    expect(hides({ node_types: ['GOAL', 'EXPERIENCE'] })).toBe(true);
    expect(hides({ node_types: ['GOAL'] })).toBe(false);
    expect(hides({ tag_ids: [health], node_types: ['GOAL'] })).toBe(false);
  });

  it('empty lists do not restrict', () => {
    expect(hides({ tag_ids: [], node_types: [], fields: [] })).toBe(true);
    expect(hides({})).toBe(true);
  });

  it('fields: only what is at or below one of them, and in the own paths', () => {
    expect(hides({ fields: ['value'] })).toBe(false);
    const redacts = [{ type: 'pii_redaction', apply_to: { fields: ['metadata.properties'] } }];
    expect(shownOf(redacts)).toMatchObject({
      value: 'Her mail is jane@example.com',
      metadata: { properties: { email: '[REDACTED:email]' } },
    });
  });
});

describe('order', () => {
  it('every transformation works on the result of the one before it', () => {
    const cut = { type: 'truncate', config: { field: 'value', max: 20 } };
    expect(shownOf(['pii_redaction', cut])['value']).toBe('Her mail is [REDACTE');
    expect(shownOf([cut, 'pii_redaction'])['value']).toBe('Her mail is jane@exa');
  });
});

describe('single values and changed fields', () => {
  const exposure = exposureOf([
    'pii_redaction',
    { type: 'field_mask', config: { paths: ['metadata.properties.salary', 'metadata.list.*.secret'] } },
  ]);

  it('shows a value at a path as it is shown in the node', () => {
    expect(exposure.exposeValue('metadata.properties.email', 'jane@example.com', facts)).toBe(
      '[REDACTED:email]',
    );
    expect(exposure.exposeValue('metadata.properties.phone', '2125550123', facts)).toBe('[REDACTED:phone]');
    expect(exposure.exposeValue('metadata.properties.salary', 1, facts)).toBeUndefined();
    expect(exposure.exposeValue('metadata.properties.salary.base', 1, facts)).toBeUndefined();
    expect(exposure.exposeValue('metadata.list.0.secret', 1, facts)).toBeUndefined();
    expect(exposure.exposeValue('metadata.list.0.open', 1, facts)).toBe(1);
    expect(exposure.exposeValue('metadata.properties', { salary: 1, a: 2 }, facts)).toEqual({ a: 2 });
    expect(exposure.exposeValue('metadata.friends.jane@example.com.since', 2020, facts)).toBeUndefined();
    expect(exposureOf([], 'summary').exposeValue('metadata.properties.a', 1, facts)).toBeUndefined();
    expect(FieldExposure.full.exposeValue('metadata.properties.a', 1, facts)).toBe(1);
  });
});

describe('foresight', () => {
  it('an exposure names the fields that may look different from what is stored', () => {
    const exposure = exposureOf(
      [{ type: 'field_mask', config: { paths: ['metadata.properties.email'] } }, 'round_date'],
      'full',
    );
    expect(exposure.touches('metadata')).toBe(true);
    expect(exposure.touches('metadata.properties.email')).toBe(true);
    expect(exposure.touches('created_at')).toBe(true);
    expect(exposure.touches('tags')).toBe(false);
    expect(exposure.touches('node_type')).toBe(false);
    const summary = exposureOf([{ type: 'truncate', config: { field: 'value', max: 1 } }], 'summary');
    expect(summary.touches('metadata')).toBe(true);
    expect(summary.transforms('metadata')).toBe(false);
    expect(summary.shows('value')).toBe(false);
    expect(summary.shows('title')).toBe(true);
    expect(summary.touches('title')).toBe(false);
  });

  it('an exposure knows when nothing is hidden', () => {
    expect(FieldExposure.full.isIdentity).toBe(true);
    expect(exposureOf([], 'summary').isIdentity).toBe(false);
    expect(exposureOf(['pii_redaction']).isIdentity).toBe(false);
  });
});
