import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LIMITS } from '../../src/import/fit-limits.js';
import { type ImportedGraph, UnreadableSource } from '../../src/import/imported-graph.js';
import { parseJsonResume, readJsonResume } from '../../src/import/json-resume.js';

const NOW = new Date('2025-06-15T12:00:00Z');
const FIXTURE = join(import.meta.dirname, '../fixtures/resume.json');
const SAMPLE = createRequire(import.meta.url).resolve('@jsonresume/schema/sample.resume.json');

const parse = (resume: unknown): ImportedGraph => parseJsonResume(JSON.stringify(resume), NOW);
const titled = (graph: ImportedGraph, title: string) => {
  const node = graph.nodes.find((candidate) => candidate.title === title);
  if (!node)
    throw new Error(`no ${title} among ${graph.nodes.map((candidate) => candidate.title).join(' | ')}`);
  return node;
};
const edgesOf = (graph: ImportedGraph): string[] => {
  const title = (ref: string) => graph.nodes.find((node) => node.ref === ref)?.title;
  return graph.relationships.map((edge) => `${title(edge.from)} ${edge.type} ${title(edge.to)}`);
};

describe('the résumé of the fixtures', () => {
  let graph: ImportedGraph;
  beforeAll(async () => {
    graph = await readJsonResume(FIXTURE, NOW);
  });

  it('tells everything that was done as an EXPERIENCE with its time and place', () => {
    const done = graph.nodes.filter((node) => node.node_type === 'EXPERIENCE');
    expect(Object.fromEntries(done.map((node) => [node.title, node.metadata.properties.when]))).toEqual({
      'Owner at Lindqvist Workshop': { type: 'series', status: 'ongoing', start: '2021-04' },
      'Lift engineer at Nordhiss AB': { type: 'series', status: 'done', start: '2011', end: '2021-03-31' },
      'Mechanic at Repair Café Möllan': {
        type: 'series',
        status: 'ongoing',
        start: '2022-01-15',
        end: '2031-01-15',
      },
      'Master, Mechanical engineering at Lund University': {
        type: 'series',
        status: 'done',
        start: '2005-09-01',
        end: '2010-06-10',
      },
      'Kestrel for Lindqvist Workshop': {
        type: 'instance',
        status: 'done',
        start: '2022-08-24',
        end: '2022-08-24',
      },
      'Quiet Brake of the Year from Cargo Bike Forum': {
        type: 'instance',
        status: 'done',
        start: '2023-10-02',
        end: '2023-10-02',
      },
    });
    expect(titled(graph, 'Owner at Lindqvist Workshop')).toMatchObject({
      meaning_level: 'IDENTITY',
      value:
        'Small series of brakes and hubs.\n\n- Kestrel drum brake, certified in 2023\n- Sand casting of small drums',
      metadata: {
        properties: {
          where: 'Malmö',
          significance: 'Kestrel drum brake, certified in 2023; Sand casting of small drums',
        },
      },
      tags: ['resume/work', 'resume'],
    });
  });

  it('makes one ENTITY of each person, organisation and skill', () => {
    const entities = graph.nodes.filter((node) => node.node_type === 'ENTITY');
    const categories = entities.map((node) => [node.title, node.metadata.properties.category]);
    expect(Object.fromEntries(categories)).toEqual({
      'Mara Lindqvist': 'person',
      Casting: 'practice',
      Drawing: 'practice',
      Swedish: 'practice',
      'Ines Aldana': 'person',
      'Lindqvist Workshop': 'organization',
      'Nordhiss AB': 'organization',
      'Repair Café Möllan': 'organization',
      'Lund University': 'organization',
      'Cargo Bike Forum': 'organization',
    });
    expect(entities.every((node) => node.metadata.properties.name === node.title)).toBe(true);
  });

  it('keeps contact data in a node and under a tag of its own', () => {
    const contact = titled(graph, 'Contact details of Mara Lindqvist');
    expect(contact.tags).toEqual(['resume/contact', 'resume']);
    expect(contact.metadata.properties).toMatchObject({
      email: 'mara@lindqvist.example.com',
      location: { city: 'Malmö' },
    });
    expect(JSON.stringify(graph.nodes.filter((node) => node !== contact))).not.toContain('mara@');
  });

  it('turns interests into tags of the person and of what shares a keyword', () => {
    expect(titled(graph, 'Mara Lindqvist').tags).toEqual(['resume/about', 'resume', 'Nature', 'Beekeeping']);
    expect(titled(graph, 'Kestrel for Lindqvist Workshop').tags).toContain('Beekeeping');
    expect(graph.tags).toContainEqual({ name: 'Beekeeping', parent: 'Nature', category: 'interest' });
  });

  it('relates experiences, organisations, skills and people', () => {
    expect(edgesOf(graph)).toEqual(
      expect.arrayContaining([
        'Owner at Lindqvist Workshop worked_at Lindqvist Workshop',
        'Kestrel for Lindqvist Workshop made_for Lindqvist Workshop',
        'Kestrel for Lindqvist Workshop related_to Casting',
        'Kestrel for Lindqvist Workshop related_to Drawing',
        'Owner at Lindqvist Workshop mentions Casting',
        'Mara Lindqvist mentions Nordhiss AB',
        'Mara Lindqvist knows Ines Aldana',
        'Ines Aldana mentions Lindqvist Workshop',
      ]),
    );
    const refs = new Set(graph.nodes.map((node) => node.ref));
    expect(graph.relationships.every((edge) => refs.has(edge.from) && refs.has(edge.to))).toBe(true);
    expect(graph.warnings).toEqual([]);
  });
});

describe('sample', () => {
  it('the sample that the schema ships comes in whole: every text of it is somewhere in the graph', async () => {
    const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Record<string, unknown>;
    const graph = await readJsonResume(SAMPLE, NOW);
    const texts: string[] = [];
    JSON.stringify({ ...sample, $schema: null, meta: null }, (_key, value: unknown) => {
      if (typeof value === 'string' && value !== '') texts.push(value);
      return value;
    });
    const held = JSON.stringify([graph.nodes, graph.relationships]);
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((text) => !held.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
    expect(graph.warnings).toEqual([]);
  });

  it('the sample that the schema ships has the same refs each time, whatever the order of its entries', async () => {
    const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Record<string, unknown[]>;
    for (const list of Object.values(sample)) if (Array.isArray(list)) list.reverse();
    const refs = (graph: ImportedGraph) => graph.nodes.map((node) => node.ref).sort();
    expect(refs(parse(sample))).toEqual(refs(await readJsonResume(SAMPLE, NOW)));
  });
});

describe('deviations', () => {
  it.each(['', '{', 'null', '[]', '"x"', '7'])('%j is refused in one line', (text) => {
    expect(() => parseJsonResume(text, NOW)).toThrow(UnreadableSource);
  });

  it('a file that is not there is refused in one line', async () => {
    await expect(readJsonResume('/no/such.json', NOW)).rejects.toThrow(UnreadableSource);
  });

  it('a résumé as it is found goes on behind entries of the wrong shape and says which', () => {
    const graph = parse({
      basics: [],
      work: [null, 'x', {}, { name: 7, position: ['a'] }, { name: 'Good', highlights: [1, 'did', null] }],
      skills: {},
      interests: [{ keywords: ['a'] }],
      hobbies: [],
      languages: [{ language: 'Sámi', fluency: { a: 1 } }],
    });
    expect(graph.nodes.map((node) => node.title)).toEqual(['Sámi', 'Good', 'Good']);
    expect(titled(graph, 'Sámi').metadata.properties.fluency).toEqual({ a: 1 });
    expect(graph.warnings.map((warning) => warning.ref)).toEqual([
      'basics',
      'skills',
      'work[0]',
      'work[1]',
      'work[2]',
      'work[3]',
      'interests[0]',
      'hobbies',
    ]);
  });

  it.each([
    ['2014', undefined, { type: 'series', status: 'ongoing', start: '2014' }],
    [undefined, '2014', { type: 'series', status: 'done', end: '2014' }],
    ['2025', '2025', { type: 'instance', status: 'ongoing', start: '2025', end: '2025' }],
    ['2025-06', '2025-07', { type: 'series', status: 'ongoing', start: '2025-06', end: '2025-07' }],
    ['2025-07', undefined, { type: 'series', status: 'future', start: '2025-07' }],
    [
      '2025-06-15',
      '2025-06-15',
      { type: 'instance', status: 'done', start: '2025-06-15', end: '2025-06-15' },
    ],
    ['2014-02-30', '2014-13', undefined],
    ['2024-02-29T10:00:00Z', '2024', { type: 'series', status: 'done', start: '2024-02-29', end: '2024' }],
    ['soon', 'later', undefined],
  ])('a résumé as it is found from %s to %s', (startDate, endDate, when) => {
    expect(parse({ work: [{ name: 'A', startDate, endDate }] }).nodes[0]?.metadata.properties.when).toEqual(
      when,
    );
  });

  it('a résumé as it is found keeps dates that it cannot read as they were written', () => {
    const { properties } =
      parse({ work: [{ name: 'A', startDate: 'soon', endDate: '2024-01' }] }).nodes[0]?.metadata ?? {};
    expect(properties).toMatchObject({ start_as_written: 'soon', when: { end: '2024-01' } });
  });

  it('two stays in one place are two experiences', () => {
    const stay = { name: 'A', position: 'B', startDate: '2014' };
    expect(
      parse({ work: [stay, stay] }).nodes.filter((node) => node.node_type === 'EXPERIENCE'),
    ).toHaveLength(2);
  });

  it('a résumé as it is found keeps names apart that the service keeps apart', () => {
    const graph = parse({
      basics: { name: 'N' },
      interests: [{ name: 'Sınır' }, { name: 'Sinir' }, { name: 'SINIR' }],
    });
    expect(titled(graph, 'N').tags.slice(2)).toEqual(['Sınır', 'Sinir']);
  });

  it('long and hostile texts stay within the limits', () => {
    const graph = parse({
      basics: { name: 'N'.repeat(5000), summary: 'x '.repeat(150_000), email: 'a\0b\ud800' },
      interests: Array.from({ length: 80 }, (_, index) => ({ name: `${index} ${'y'.repeat(200)}` })),
      work: [{ name: 'W', big: 'z'.repeat(400_000) }],
    });
    for (const node of graph.nodes) {
      expect(node.title.length).toBeLessThanOrEqual(LIMITS.title);
      expect(node.value?.length ?? 0).toBeLessThanOrEqual(LIMITS.value);
      expect(node.tags.length).toBeLessThanOrEqual(LIMITS.tags);
      expect(Math.max(...node.tags.map((tag) => tag.length))).toBeLessThanOrEqual(100);
      expect(JSON.stringify(node).length).toBeLessThan(LIMITS.metadataBytes + LIMITS.value);
    }
    expect(graph.warnings.every((warning) => warning.code === 'shortened')).toBe(true);
    expect(JSON.stringify(graph)).toContain('a\uFFFDb\uFFFD');
  });
});
