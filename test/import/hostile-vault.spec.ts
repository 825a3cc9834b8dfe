import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../src/import/fit-limits.js';
import { UnreadableSource } from '../../src/import/imported-graph.js';
import { readMarkdownVault } from '../../src/import/markdown-vault.js';
import { edgesOf, noteOf, readVaultOf } from './temporary-vault.js';

describe('notes', () => {
  it('reads byte order marks and every kind of line end', async () => {
    const graph = await readVaultOf({
      'bom.md': '\uFEFF---\ntitle: With a mark\n---\n# x',
      'windows.md': '---\r\ntags: [a]\r\n---\r\n# Windows\r\n\r\nline\r\n#b\r\n',
      'mac.md': '# Old\rline',
    });
    expect(noteOf(graph, 'bom.md').title).toBe('With a mark');
    expect(noteOf(graph, 'windows.md')).toMatchObject({
      title: 'Windows',
      value: '# Windows\n\nline\n#b\n',
      tags: ['a', 'b'],
    });
    expect(noteOf(graph, 'mac.md').title).toBe('Old');
  });

  it('keeps an empty file as a note without text', async () => {
    const graph = await readVaultOf({ 'empty.md': '', 'only matter.md': '---\na: 1\n---\n' });
    expect(noteOf(graph, 'empty.md')).toMatchObject({ title: 'empty', value: null });
    expect(noteOf(graph, 'only matter.md')).toMatchObject({
      value: null,
      metadata: { properties: { a: 1 } },
    });
  });

  it('leaves out what is not UTF-8 and goes on', async () => {
    const graph = await readVaultOf({
      'latin.md': Buffer.from('Caf\xe9', 'latin1'),
      'utf16.md': Buffer.from('\uFEFFhello', 'utf16le'),
      'good.md': 'ok',
    });
    expect(graph.nodes.map((node) => node.ref)).toEqual(['good.md']);
    expect(graph.warnings.map((warning) => [warning.code, warning.ref])).toEqual([
      ['not_text', 'latin.md'],
      ['not_text', 'utf16.md'],
    ]);
  });

  it('files as they are found does not follow symbolic links, so that no loop can catch it', async () => {
    const graph = await readVaultOf({ 'a/note.md': 'x' }, async (root) => {
      await symlink(root, join(root, 'a', 'loop'));
      await symlink('/etc/passwd', join(root, 'passwd.md'));
      await symlink(join(root, 'nowhere'), join(root, 'dangling.md'));
    });
    expect(graph.nodes.map((node) => node.ref)).toEqual(['a/note.md']);
    expect(graph.warnings.map((warning) => warning.code)).toEqual(Array(3).fill('link_not_followed'));
  });

  it('leaves out node_modules and what begins with a dot', async () => {
    const graph = await readVaultOf({
      '.obsidian/a.md': 'x',
      'node_modules/b/c.md': 'x',
      '.hidden.md': 'x',
      'd.md': 'x',
    });
    expect(graph.nodes.map((node) => node.ref)).toEqual(['d.md']);
  });

  it('reads names with odd characters and links to them', async () => {
    const names = [
      'Ä b#c%20&.md',
      'new\nline.md',
      'quote\'s "x".md',
      'back\\slash.md',
      '日本.md',
      '(a) [b].md',
      'q?.md',
    ];
    const graph = await readVaultOf({
      ...Object.fromEntries(names.map((name) => [name, 'x'])),
      'from.md': '[a](<%C3%84 b%23c%2520&.md>) [[日本]] [b](q%3F.md) [c](<(a) [b].md>)',
      'A\u0308 decomposed.md': 'x',
      'to decomposed.md': '[[\u00c4 decomposed]]',
    });
    expect(graph.nodes).toHaveLength(names.length + 3);
    expect(edgesOf(graph)).toEqual([
      'from.md → 日本.md',
      'from.md → Ä b#c%20&.md',
      'from.md → q?.md',
      'from.md → (a) [b].md',
      'to decomposed.md → \u00c4 decomposed.md',
    ]);
  });

  it('says in one line what is wrong with a folder that cannot be read', async () => {
    await expect(readMarkdownVault('/no/such/folder')).rejects.toThrow(UnreadableSource);
    await expect(readMarkdownVault(import.meta.filename)).rejects.toThrow(UnreadableSource);
  });

  it('goes on behind a folder that it may not read', async () => {
    if (process.getuid?.() === 0) return;
    const graph = await readVaultOf({ 'a.md': 'x' }, async (root) => {
      await mkdir(join(root, 'locked'));
      await chmod(join(root, 'locked'), 0);
    });
    expect(graph.warnings).toEqual([expect.objectContaining({ code: 'unreadable', ref: 'locked' })]);
  });
});

describe('front matter as it is found', () => {
  const read = async (text: string) => {
    const graph = await readVaultOf({ 'n.md': text });
    return { note: noteOf(graph, 'n.md'), codes: graph.warnings.map((warning) => warning.code) };
  };

  it.each([
    ['syntax', '---\na: [1\n---\nbody'],
    ['the same key twice', '---\na: 1\na: 2\n---\nbody'],
    ['a hundred thousand levels', `---\na: ${'['.repeat(100_000)}\n---\nbody`],
    [
      'aliases that explode',
      `---\na: &a [x,x,x,x,x,x,x,x,x,x]\n${'bcdefgh'.replace(/./g, (k) => `${k}: &${k} [${`*${String.fromCharCode(k.charCodeAt(0) - 1)},`.repeat(10)}]\n`)}---\nbody`,
    ],
    ['forty levels', `---\na: ${'['.repeat(40)}${']'.repeat(40)}\n---\nbody`],
    ['too much', `---\na: ${'x'.repeat(300_000)}\n---\nbody`],
  ])('bad %s: the text stays', async (_, text) => {
    const { note, codes } = await read(text);
    expect(codes).toContain('bad_front_matter');
    expect(note.metadata.properties).toEqual({});
    expect(note.value?.startsWith('---\na: ')).toBe(true);
  });

  it('two rules around text are no front matter', async () => {
    expect(await read('---\njust text\n---\nmore')).toMatchObject({
      note: { value: '---\njust text\n---\nmore' },
      codes: [],
    });
    expect(await read('---\nnever: closed\n')).toMatchObject({
      note: { value: '---\nnever: closed\n' },
      codes: [],
    });
  });

  it('says in plain JSON what YAML can say', async () => {
    const { note } = await read(
      '---\nnan: .nan\ninf: -.inf\nday: 2024-01-05\n1: one\n__proto__: x\nconstructor: {prototype: 1}\nbig: 0xFFFFFFFFFFFFFFFFFF\nnul: "a\\0b"\nlone: "\\ud800"\n---\n',
    );
    expect(JSON.parse(JSON.stringify(note.metadata.properties))).toEqual({
      '1': 'one',
      nan: 'NaN',
      inf: '-Infinity',
      day: '2024-01-05',
      __proto___: 'x',
      constructor_: { prototype_: 1 },
      big: '4722366482869645213695',
      nul: 'a\uFFFDb',
      lone: '\uFFFD',
    });
  });

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-2-9 7:05', '2024-02-09T07:05:00.000Z'],
    ['2024-01-05T10:30:00+02:00', '2024-01-05T08:30:00.000Z'],
    ['2024/01/05 10:30:15 -0530', '2024-01-05T16:00:15.000Z'],
    ['2024-01-05T10:30:00.123456Z', '2024-01-05T10:30:00.123Z'],
  ])('reads the date %s', async (written, meant) => {
    expect((await read(`---\ncreated: ${written}\n---\n`)).note.created_at?.toISOString()).toBe(meant);
  });

  it.each(['2024-02-30', '2024-13-01', 'yesterday', '[2024]', '2024', '0000-00-00'])(
    'takes %s for no date',
    async (written) => {
      const { note } = await read(`---\ncreated: ${written}\n---\n`);
      expect(Date.now() - (note.created_at?.getTime() ?? 0)).toBeLessThan(60_000);
    },
  );
});

describe('limits', () => {
  it('a megabyte of text goes on in further nodes and loses nothing', async () => {
    const text = Array.from(
      { length: 12_000 },
      (_, index) => `Paragraph ${index} of [[other]] things, #tag${index % 70}x.\n\n`,
    ).join('');
    const padded = text + 'y'.repeat(1_048_576 - text.length);
    const graph = await readVaultOf({ 'big.md': padded, 'other.md': '' });
    const parts = graph.nodes.filter((node) => node.ref.startsWith('big.md'));
    expect(parts.map((node) => node.value).join('')).toBe(padded);
    expect(Math.max(...parts.map((node) => node.value?.length ?? 0))).toBeLessThanOrEqual(LIMITS.value);
    expect(new Set(parts.map((node) => node.ref)).size).toBe(parts.length);
    expect(parts.at(-1)?.title).toBe(`big (part ${parts.length} of ${parts.length})`);
    expect(parts[0]?.tags).toHaveLength(LIMITS.tags);
    expect(graph.relationships.filter((edge) => edge.type === 'parent_of')).toHaveLength(parts.length - 1);
    expect(graph.links).toMatchObject({ found: 12_000, notes: 12_000 });
    expect(graph.warnings.map((warning) => warning.code)).toEqual(['shortened', 'shortened']);
  });

  it('a text over the limits is never cut within a character', async () => {
    const graph = await readVaultOf({
      'emoji.md': 'a' + '😀'.repeat(60_000),
      'title.md': `# ${'😀'.repeat(800)}`,
    });
    for (const node of graph.nodes) expect(`${node.title}${node.value}`).not.toMatch(/\p{Surrogate}/u);
    expect(noteOf(graph, 'title.md').title).toMatch(/^(😀){499}…$/u);
  });

  it('ten thousand links that lead nowhere fit into the metadata', async () => {
    const graph = await readVaultOf({
      'n.md': Array.from({ length: 10_000 }, (_, index) => `[[gone ${index}]]\n\n`).join(''),
    });
    expect(graph.links.unresolved).toBe(10_000);
    expect(Buffer.byteLength(JSON.stringify(noteOf(graph, 'n.md').metadata))).toBeLessThan(
      LIMITS.metadataBytes,
    );
  });

  it('a note nested too deeply for the parser keeps its tags and links', async () => {
    const graph = await readVaultOf({ 'deep.md': `${'> '.repeat(8_000)}[[other]] #tag`, 'other.md': '' });
    expect(noteOf(graph, 'deep.md').tags).toEqual(['tag']);
    expect(edgesOf(graph)).toEqual(['deep.md → other.md']);
  });
});
