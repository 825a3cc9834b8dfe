import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseNote } from '../../src/import/markdown-note.js';
import { readMarkdownVault, type VaultGraph } from '../../src/import/markdown-vault.js';
import { edgesOf, noteOf, readVaultOf } from './temporary-vault.js';

const FIXTURE = join(import.meta.dirname, '../fixtures/vault');

describe('the vault of the fixtures', () => {
  let graph: VaultGraph;
  beforeAll(async () => {
    graph = await readMarkdownVault(FIXTURE);
  });

  it('becomes one node per note, dot folders left out, other files listed apart', () => {
    expect(graph.nodes.map((node) => node.ref)).toEqual([
      'Goals for the year.md',
      'garden/beans.md',
      'garden/bees.md',
      'garden/compost.md',
      'garden/index.md',
      'health/knee.md',
      'index.md',
      'journal/2024-03-09.md',
      'journal/2024-03-10.md',
      'people/index.md',
      'people/ines.md',
      'people/tomas.md',
      'work/2024.md',
      'work/index.md',
      'work/kestrel-brake.md',
    ]);
    expect(graph.attachments).toMatchObject([
      { path: 'garden/plan of the beds.svg', bytes: expect.any(Number), referenced_by: ['garden/index.md'] },
    ]);
  });

  it('takes the title from the front matter, else the first heading, else the file', () => {
    expect(noteOf(graph, 'garden/bees.md').title).toBe('Bees');
    expect(noteOf(graph, 'work/2024.md').title).toBe('Accounts 2024');
    expect(noteOf(graph, 'journal/2024-03-09.md').title).toBe('2024-03-09');
  });

  it('makes tags of folders, front matter and text, each with its ancestors, never of code, headings or addresses', () => {
    expect(noteOf(graph, 'garden/bees.md').tags).toEqual(['garden/bees', 'garden', 'hobby']);
    expect(noteOf(graph, 'garden/beans.md').tags).toEqual(['garden', 'recipes']);
    expect(noteOf(graph, 'journal/2024-03-09.md').tags).toEqual([
      'garden/bees',
      'garden',
      'diary',
      'private/diary',
      'private',
      'journal',
    ]);
    expect(noteOf(graph, 'index.md').tags).toEqual([]);
    expect(graph.tags).toContainEqual({ name: 'garden/bees', parent: 'garden', category: 'topic' });
    expect(graph.tags).toContainEqual({ name: 'journal', parent: null, category: 'folder' });
  });

  it('keeps the front matter as properties, without the tags, and big numbers exactly', () => {
    expect(noteOf(graph, 'work/kestrel-brake.md').metadata.properties).toEqual({
      client: '[[people/ines]]',
      budget_eur: 4200,
      serial: '90071992547409931',
    });
  });

  it('keeps the dates that the front matter states', () => {
    expect(noteOf(graph, 'garden/bees.md').created_at).toEqual(new Date('2023-05-14T18:30:00Z'));
    expect(noteOf(graph, 'work/2024.md').updated_at).toEqual(new Date('2024-03-01T00:00:00Z'));
    const { created_at: created, updated_at: updated } = noteOf(graph, 'garden/beans.md');
    expect(created?.getTime()).toBeLessThanOrEqual(updated?.getTime() ?? 0);
  });

  it('keeps the note when the front matter cannot be read, and says so', () => {
    const note = noteOf(graph, 'journal/2024-03-10.md');
    expect(note.value).toContain('mood: [unfinished');
    expect(note.tags).toEqual(['diary', 'journal']);
    expect(graph.warnings).toContainEqual(
      expect.objectContaining({ code: 'bad_front_matter', ref: 'journal/2024-03-10.md' }),
    );
  });

  it('accounts for every link', () => {
    const { found, ...kinds } = graph.links;
    expect(found).toBe(Object.values(kinds).reduce((sum, count) => sum + count, 0));
    expect(graph.links).toEqual({
      found: 30,
      notes: 27,
      self: 0,
      attachments: 1,
      external: 1,
      unresolved: 1,
    });
  });

  it('follows links by name, by path, by folder, by alias, out of tables and properties', () => {
    expect(edgesOf(graph)).toEqual(
      expect.arrayContaining([
        'index.md → garden/index.md',
        'index.md → work/index.md',
        'index.md → people/index.md',
        'garden/index.md → garden/beans.md',
        'people/tomas.md → garden/bees.md',
        'work/kestrel-brake.md → people/ines.md',
        'work/2024.md → work/kestrel-brake.md',
      ]),
    );
  });

  it('takes the nearest of several notes with one name and says which', () => {
    expect(edgesOf(graph)).toContain('garden/beans.md → garden/index.md');
    expect(graph.warnings).toContainEqual({
      code: 'ambiguous_link',
      ref: 'garden/beans.md',
      message: '[[index]] read as garden/index.md, not index.md or people/index.md or work/index.md',
    });
  });

  it('keeps what leads nowhere with its note', () => {
    expect(noteOf(graph, 'garden/compost.md').metadata.source).toEqual({
      vault: 'vault',
      file: 'compost.md',
      unresolved_links: ['worms.md'],
    });
  });

  it('gives the line of a link as its context, its own text where it stands alone', () => {
    const context = (from: string, to: string) =>
      graph.relationships.find((edge) => edge.from === from && edge.to === to)?.context;
    expect(context('people/index.md', 'people/ines.md')).toBe('[[ines]], customer');
    expect(context('work/kestrel-brake.md', 'people/ines.md')).toBe('client');
  });
});

/** The larger one may lie beside the repository. Links are counted here once more, by simpler means. */
const VAULTS = [
  { name: 'the fixtures', folder: FIXTURE, complaints: ['bad_front_matter'] },
  {
    name: 'real notes',
    folder: join(import.meta.dirname, '../../../shared/data/markdown-vault'),
    complaints: [],
  },
].filter(({ folder }) => existsSync(folder));

describe.each(VAULTS)('links of the vault of $name', ({ folder, complaints }) => {
  it('comes in whole, every wikilink and every link to a file accounted for', async () => {
    const graph = await readMarkdownVault(folder);
    expect(graph.links.found).toBeGreaterThan(10);
    for (const node of graph.nodes) {
      const text = readFileSync(join(folder, node.ref), 'utf8');
      expect(text.replaceAll('\r', '').endsWith(node.value ?? '')).toBe(true);
      const read = parseNote(node.ref, text).links.filter((link) => link.kind === 'wikilink');
      expect([node.ref, read.length]).toEqual([node.ref, wikilinksOutsideCode(text)]);
    }
    const { found, ...kinds } = graph.links;
    expect(found).toBe(Object.values(kinds).reduce((sum, count) => sum + count, 0));
    const codes = graph.warnings.map(({ code }) => code);
    expect(codes.filter((code) => !code.endsWith('_link'))).toEqual(complaints);
  });
});

function wikilinksOutsideCode(text: string): number {
  let fence: string | null = null;
  let count = 0;
  for (const line of text.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
    } else if (mark !== null) {
      fence = mark;
    } else {
      const prose = line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
      count += [...prose.matchAll(/\[\[[^[\]]+\]\]/g)].length;
    }
  }
  return count;
}

describe('links between notes', () => {
  const links = async (text: string) => {
    const graph = await readVaultOf({
      'a/from.md': text,
      'a/Near.md': '',
      'b/near.md': '',
      'b/c/far.md': '',
      'top.md': '',
    });
    return { edges: edgesOf(graph), links: graph.links };
  };

  it.each([
    ['[[far]]', 'b/c/far.md'],
    ['[[FAR]]', 'b/c/far.md'],
    ['[[far.md]]', 'b/c/far.md'],
    ['[[c/far]]', 'b/c/far.md'],
    ['[[b/c/far#A section]]', 'b/c/far.md'],
    ['[[far#^block|shown]]', 'b/c/far.md'],
    ['![[far]]', 'b/c/far.md'],
    ['[[/b/c/far]]', 'b/c/far.md'],
    ['[[../top]]', 'top.md'],
    ['[[./Near]]', 'a/Near.md'],
    ['[[near]]', 'b/near.md'],
    ['[[NEAR]]', 'a/Near.md'],
    ['**[[far]]**', 'b/c/far.md'],
    ['| a |\n| - |\n| [[far\\|shown]] |', 'b/c/far.md'],
    ['> - [ ] [[far]]', 'b/c/far.md'],
    ['[[far]]\n\n[far]: ../top.md "what the program wrote"', 'top.md'],
    ['[[far]]\n\n[far]: ../gone.md "outdated"', 'b/c/far.md'],
    ['[shown](../b/c/far.md)', 'b/c/far.md'],
    ['[shown](<../b/c/far.md#section>)', 'b/c/far.md'],
    ['[shown][ref]\n\n[ref]: ../b/c/far.md', 'b/c/far.md'],
    ['[shown](/b/c/far)', 'b/c/far.md'],
    ['[shown](../top.md?plain=1)', 'top.md'],
  ])('%s leads to %s', async (text, target) => {
    expect(await links(text)).toMatchObject({
      edges: [`a/from.md → ${target}`],
      links: { found: 1, notes: 1 },
    });
  });

  it.each([
    ['in code', '`[[far]]` and\n\n    [[far]]\n\n```\n[[far]]\n```'],
    ['in HTML', '<a href="#far" title="[[far]]">x</a>'],
    ['escaped', '\\[[far]]'],
    ['empty', '[[ ]]'],
  ])('wikilinks %s is none', async (_, text) => {
    expect((await links(text)).links.found).toBe(0);
  });

  it.each([
    ['self', '[[#Section]] [[from]] [x](#y) [x](from.md)', 4],
    ['external', '<https://a.example/#b> [x](mailto:a@b.example) [[https://a.example]] [x](//a.example)', 4],
    ['unresolved', '[[nothing]] [x](../../outside.md) [[/far]] ![[gone.png|300]] [x](%E0%A4%A)', 5],
  ])('%s ones are counted', async (kind, text, count) => {
    expect((await links(text)).links).toMatchObject({ found: count, [kind]: count });
  });
});

describe('tags', () => {
  const tagsOf = async (text: string) => noteOf(await readVaultOf({ 'n.md': text }), 'n.md').tags;

  it.each([
    ['#one, #two-b (#three_c).', ['one', 'two-b', 'three_c']],
    ['#a/b/c', ['a/b/c', 'a/b', 'a']],
    ['#Überblick #标签 #2024-plan', ['Überblick', '标签', '2024-plan']],
    ['#Same #same #SAME', ['Same']],
    ['#sınır #sinir #SINIR', ['sınır', 'sinir']],
    ['#οδος #ΟΔΟΣ #οδοσ', ['οδος']],
    ['#123 #-1 a#b &#35;x \\#no https://a.example/#frag [x](#frag) # heading', []],
    ['`#code` <b id="#html">x</b>\n\n```\n#code\n```', []],
    [
      '---\ntags: "#one two, three"\nkeywords:\n  - two words\n  - 7\n---\n',
      ['one', 'two', 'three', 'two words', '7'],
    ],
    ['---\ntag: only\n---\n', ['only']],
    ['---\ntags:\n---\n', []],
  ])('the tags of %j are those listed', async (text, tags) => {
    expect(await tagsOf(text)).toEqual(tags);
  });

  it('long names of tags stay apart and within 100 characters', async () => {
    const long = 'x'.repeat(120);
    const tags = await tagsOf(`#${long}a #${long}b`);
    expect(tags).toHaveLength(2);
    // The sign of a cut has three letters in the compatibility form.
    expect(Math.max(...tags.map((tag) => tag.normalize('NFKC').length))).toBe(100);
    const ligatures = await tagsOf(`#${'ﷺ'.repeat(90)}a #${'ﷺ'.repeat(90)}b`);
    expect(new Set(ligatures).size).toBe(2);
    for (const tag of ligatures) expect(tag.normalize('NFKC').length).toBeLessThanOrEqual(100);
  });
});
