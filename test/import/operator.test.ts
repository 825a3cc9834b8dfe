import { jest } from '@jest/globals';
import { CommanderError } from 'commander';
import { mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explain, withService } from '../../src/cli/operator.js';
import { operatorProgram } from '../../src/cli/program.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { compared, type Entries, importedBy, unzipped } from '../portability/archives.js';
import { Workshop } from '../support/server.js';

const FIXTURES = join(import.meta.dirname, '../fixtures');

const workshop = new Workshop();
let dataDir: string;
let output = '';
beforeAll(async () => {
  dataDir = await workshop.emptyDirectory();
  jest.replaceProperty(process, 'env', {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'https://graph.example',
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await workshop.clear();
});
beforeEach(() => {
  output = '';
  const write = (text: string | Uint8Array): boolean => {
    output += text.toString();
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
});
afterEach(() => {
  jest.mocked(process.stdout.write).mockRestore();
  jest.mocked(process.stderr.write).mockRestore();
});

/** @returns the printed text, or the one line of the error that main.ts would print */
async function run(...words: string[]): Promise<string> {
  try {
    await operatorProgram().parseAsync(words, { from: 'user' });
    return output;
  } catch (error) {
    return error instanceof CommanderError ? output : `error: ${explain(error)}\n`;
  }
}

it('makes a user, imports notes and a résumé for them, twice without duplicates, and changes their tier', async () => {
  const made = await run('create-user', '--email', 'anna@example.org', '--username', 'anna');
  const [, id] = /id ([0-9a-f-]{36})\nPassword [\w-]{20}\n$/.exec(made) ?? [];
  expect(id).toBeDefined();
  expect(await run('migrate')).toBe(`${made}The database is up to date.\n`);
  output = '';
  expect(await run('import', '--user', 'anna', join(FIXTURES, 'vault'))).toContain(
    'Nodes: 15 created\nRelationships: 28 created\nFiles: 1 created\n',
  );
  output = '';
  const again = await run('import', '--user', id as string, join(FIXTURES, 'vault'), '--warnings');
  expect(again).toContain(
    'Nodes: 15 unchanged\nRelationships: 28 unchanged\nFiles: 1 unchanged\nTags: none\n',
  );
  expect(again).toContain('  unresolved_link garden/compost.md: ');
  output = '';
  expect(await run('import', '--user', 'ANNA', join(FIXTURES, 'resume.json'))).toContain(
    'Nodes: 17 created\n',
  );
  output = '';
  const tier = async (name: string, given: string): Promise<string> => {
    output = '';
    return run('set-tier', 'user', name, given);
  };
  const whose = `The tier of user anna (${id})`;
  // Any user may choose this username; the operator still refers to the user with that id.
  await run('create-user', '--email', 'eve@example.org', '--username', id as string);
  expect(await tier(id as string, 'pro')).toBe(`${whose} is pro now, it was free.\n`);
  expect(await tier('Anna', 'enterprise')).toBe(`${whose} is enterprise now, it was pro.\n`);
  expect(await tier('Anna@Example.org', 'enterprise')).toBe(`${whose} was enterprise already.\n`);
});

it('keeps folders of the same name apart, and finds each one again', async () => {
  await run('create-user', '--email', 'ben@example.org', '--username', 'ben');
  const folders = await Promise.all(['home', 'work'].map((place) => vaultIn(place)));
  const link = join(dataDir, 'link');
  await symlink(folders[0] as string, link);
  const nodes = async (folder: string, ...more: string[]): Promise<string | undefined> => {
    output = '';
    return /^Nodes: .*$/m.exec(await run('import', '--user', 'ben@example.org', folder, ...more))?.[0];
  };
  for (const folder of folders) expect(await nodes(folder)).toBe('Nodes: 1 created');
  for (const folder of [...folders, link]) expect(await nodes(folder)).toBe('Nodes: 1 unchanged');
  // Another name makes another import; then its place alone is ambiguous.
  expect(await nodes(folders[0] as string, '--collection', 'mine')).toBe('Nodes: 1 created');
  output = '';
  expect(await run('import', '--user', 'ben', folders[0] as string)).toBe(
    'error: this source was imported as "notes" and "mine": say which with --collection NAME\n',
  );
  expect(await nodes(folders[1] as string, '--collection', 'mine')).toBe('Nodes: 1 updated');
});

it('names imports, lists them, recognises a folder that was moved, and undoes them', async () => {
  await run('create-user', '--email', 'mia@example.org', '--username', 'mia');
  const tell = async (...words: string[]): Promise<string> => {
    output = '';
    return run(...words);
  };
  const old = join(dataDir, 'mia', 'garden');
  await mkdir(old, { recursive: true });
  for (const name of ['a', 'b', 'c', 'd'])
    await writeFile(join(old, `${name}.md`), `# ${name}\n\ntext of ${name}\n`);
  expect(await tell('imports', '--user', 'mia')).toBe('mia has imported nothing.\n');
  // The option takes one word: the path follows it.
  const first = await tell('import', '--user', 'mia', '--tag', 'one', '--tag', 'two', old);
  expect(first).toMatch(/^Importing as "garden"\nNodes: 4 created\n/);
  expect(first).toContain('Tags: 2 created\n');
  expect(await tell('import', '--user', 'mia', old)).toMatch(
    /^Going on with the import "garden"\nNodes: 4 unchanged\n/,
  );

  const moved = join(dataDir, 'mia', 'elsewhere');
  await rename(old, moved);
  await writeFile(join(moved, 'a.md'), '# a\n\nnew text\n');
  expect(await tell('import', '--user', 'mia', moved)).toMatch(
    /^This is the source that you imported as "garden" from another place: going on with it\nNodes: 1 updated, 3 unchanged\n/,
  );
  // Less than half of the source is in the import, but half of the import is in the source: ambiguous.
  const part = join(dataDir, 'mia', 'part');
  await mkdir(part);
  await writeFile(join(part, 'b.md'), '# b\n\ntext of b\n');
  expect(await tell('import', '--user', 'mia', part)).toMatch(
    /^error: this source could be an earlier import in another place: 1 of its 1 notes are in "garden"\. --collection "garden" continues/,
  );
  expect(await tell('import', '--user', 'mia', part, '--collection', 'part')).toMatch(
    /^Importing as "part"\nNodes: 1 created\n/,
  );
  expect(await tell('imports', '--user', 'mia')).toMatch(
    /^NAME +SOURCE +FIRST +LAST +NODES\ngarden +Markdown notes +\S+ +\S+ +4\npart +Markdown notes +\S+ +\S+ +1\n$/,
  );

  expect(await tell('undo-import', 'nothing', '--user', 'mia')).toBe(
    'error: mia has no import "nothing"; imports --user mia lists them\n',
  );
  expect(await tell('undo-import', 'garden', '--user', 'mia')).toBe(
    'The import "garden" is undone: 4 nodes deleted. Each of them can be restored.\n',
  );
  expect(await tell('imports', '--user', 'mia')).not.toContain('garden');
  // Not "left deleted", because it is a new import.
  expect(await tell('import', '--user', 'mia', moved, '--collection', 'garden')).toContain(
    'Nodes: 4 created\n',
  );
  expect(await tell('import', '--user', 'mia', moved)).toContain('Nodes: 4 unchanged\n');
});

it('leaves files out that are larger than the plan, says so, and takes back any archive', async () => {
  await run('create-user', '--email', 'lea@example.org', '--username', 'lea');
  output = '';
  const made = await run('create-user', '--email', 'leo@example.org', '--username', 'leo');
  const leo = { id: /id ([0-9a-f-]{36})/.exec(made)?.[1] as string };
  const tell = async (...words: string[]): Promise<string> => {
    output = '';
    return run(...words);
  };
  const folder = join(dataDir, 'large');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.md'), '# A\n\n![[film.mp4]]\n');
  await writeFile(join(folder, 'film.mp4'), Buffer.alloc(11 * 1_048_576));
  await writeFile(join(folder, 'latin.md'), Buffer.from('caf\xe9', 'latin1'));
  for (const name of ['board.canvas', 'table.csv', 'other.CSV', 'plain.txt'])
    await writeFile(join(folder, name), 'x');
  const refused = await tell('import', '--user', 'lea', folder);
  expect(refused).toContain('Files: 1 refused\n');
  expect(refused).toContain('6 files not read: 1 .canvas, 2 .csv, 1 .txt, 1 not UTF-8, 1 too large\n');
  expect(refused).toContain(
    '  left out: film.mp4: The file is larger than the 10485760 bytes of your plan (--any-size takes it; set-tier changes the plan)\n',
  );
  expect(await tell('import', '--user', 'lea', folder, '--any-size')).toContain('Files: 1 created\n');
  // Existing files stay.
  expect(await tell('import', '--user', 'lea', folder)).toContain('Files: 1 unchanged\n');

  const archive = (name: string) => join(dataDir, `${name}.zip`);
  await run('export', 'lea', archive('lea'));
  expect(await tell('import', '--user', 'leo', archive('lea'))).toContain('files: 1\n');
  await run('export', 'leo', archive('leo'));
  expect(compared(await entriesOf(archive('leo')))).toEqual(
    compared(importedBy(leo, await entriesOf(archive('lea')))),
  );
  // The import continues in the other account, too.
  expect(await tell('import', '--user', 'leo', folder)).toMatch(
    /"large" from another place.*\nNodes: 1 unchanged\n/,
  );
});

const entriesOf = async (path: string): Promise<Entries> => unzipped(await readFile(path));

/** A folder `notes` with one note, which names its place. */
async function vaultIn(place: string): Promise<string> {
  const folder = join(dataDir, place, 'notes');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'today.md'), `# Today\n\nAt ${place}.\n`);
  return folder;
}

it('takes a user along in an archive, brings them back into an empty account, and erases them', async () => {
  const idOf = async (name: string): Promise<string> => {
    output = '';
    const made = await run('create-user', '--email', `${name}@example.org`, '--username', name);
    return /id ([0-9a-f-]{36})/.exec(made)?.[1] as string;
  };
  const archive = (name: string) => join(dataDir, `${name}.zip`);
  const tell = async (...words: string[]): Promise<string> => {
    output = '';
    return run(...words);
  };
  const [cleo, dora] = [await idOf('cleo'), await idOf('dora')];
  await run('import', '--user', 'cleo', join(FIXTURES, 'vault'));

  expect(await tell('export', 'cleo', archive('cleo'))).toBe(
    `Everything of cleo (${cleo}) is in ${archive('cleo')}\n`,
  );
  expect((await stat(archive('cleo'))).mode & 0o777).toBe(0o600);
  expect(await tell('export', 'cleo', archive('cleo'))).toBe(
    `error: ${archive('cleo')} is there already; name another file\n`,
  );
  expect(await tell('import', '--user', 'cleo', archive('cleo'))).toMatch(
    /^error: .*whose graph nobody may read\n$/,
  );
  const taken = await tell('import', '--user', 'dora', archive('cleo'));
  expect(taken).toMatch(/^nodes: 16\nrelationships: 28\n/m);
  expect(taken).toMatch(/\nEverything has a new id: ids of the archive are in use here\n$/);
  await run('export', 'dora', archive('dora'));
  const first = await entriesOf(archive('cleo'));
  expect(compared(await entriesOf(archive('dora')))).toEqual(compared(importedBy({ id: dora }, first)));

  expect(await tell('erase-user', 'cleo')).toBe('error: there is no user with the id cleo\n');
  expect(await tell('erase-user', cleo)).toBe(
    `The account of cleo (${cleo}) is erased, with all that was in it.\n`,
  );
  await idOf('emil');
  expect(await tell('import', '--user', 'emil', archive('cleo'))).not.toContain('new id');
  await run('export', 'emil', archive('emil'));
  // The ids were not in use here any longer, so links from elsewhere stay valid.
  expect(compared(await entriesOf(archive('emil')))).toEqual(compared(first));
  expect(await tell('export', cleo)).toBe(`error: there is no user ${cleo}; create-user makes one\n`);
  expect(await tell('erase-user', cleo)).toBe(`error: there is no user with the id ${cleo}\n`);
  expect(await tell('set-tier', 'user', dora, 'pro')).toContain('is pro now');
});

it('lists users and sets a new password for one who cannot log in any more', async () => {
  const made = await run('create-user', '--email', 'zoe@example.org', '--username', 'zoe');
  const [, id] = /id ([0-9a-f-]{36})/.exec(made) ?? [];
  output = '';
  const lines = (await run('list-users')).trimEnd().split('\n');
  expect(lines[0]).toBe('id\tusername\te-mail\ttier\tcreated');
  expect(lines.at(-1)).toMatch(new RegExp(`^${id}\tzoe\tzoe@example.org\tfree\t\\d{4}-\\d\\d-\\d\\dT\\S+Z$`));
  output = '';
  expect(await run('reset-password', 'Zoe@example.org')).toMatch(
    new RegExp(
      `^The password of zoe \\(${id}\\) is a new one; they are logged out everywhere, and their passkeys are removed.\nPassword [\\w-]{20}\n$`,
    ),
  );
  output = '';
  expect(await run('verify-email', 'zoe')).toBe(`zoe@example.org is the verified address of zoe (${id}).\n`);
  output = '';
  expect(await run('change-email', 'zoe', 'no address')).toMatch(/^error: email: must be/);
  output = '';
  expect(await run('change-email', 'zoe', 'zoe@example.com')).toBe(
    `zoe@example.com is the verified address of zoe (${id}) now.\n`,
  );
  output = '';
  expect(await run('reset-password', '--link', 'zoe')).toMatch(
    new RegExp(
      `^For zoe \\(${id}\\), once and within an hour:\nhttps://graph.example/account#reset=pig_mail_[\\w-]{43}\n$`,
    ),
  );
  output = '';
  expect(await run('reset-password', '--link', '--password-stdin', 'zoe')).toMatch(
    /^error: .* cannot be used with/,
  );
  output = '';
  expect(await run('reset-password', 'zoe', '--remove-second-factors')).toContain(
    '\nTheir second factors are removed: the password alone lets them in.\nPassword ',
  );
});

it('makes a demo user once, with a line of curl', async () => {
  expect(await run('seed-demo')).toMatch(
    /^Demo user demo@example.org, password [\w-]{20}, id [0-9a-f-]{36}\nApp key (pig_live_\w{36})\ncurl -H 'X-API-Key: \1' .*'https:\/\/graph.example\/api\/v1\/nodes\?include_tags=true'\n$/,
  );
  expect(await run('seed-demo')).toBe('error: there is a user demo already\n');
});

it.each([
  [['nonsense'], "error: unknown command 'nonsense'\n"],
  [['import', FIXTURES], "error: required option '--user <name>' not specified\n"],
  [
    ['import', '--user', 'anna', '/no/such/place'],
    'error: cannot read /no/such/place: no such file or directory\n',
  ],
  [
    ['import', '--user', 'nobody', join(FIXTURES, 'vault')],
    'error: there is no user nobody; create-user makes one\n',
  ],
  [
    ['import', '--user', 'anna', import.meta.filename],
    expect.stringContaining('is neither a folder of Markdown notes nor a JSON Résumé'),
  ],
  [
    ['import', '--user', 'anna', join(FIXTURES, '../../package.json')],
    expect.stringMatching(/^error: \S+package.json: no JSON Résumé: /),
  ],
  [
    ['import', '--user', 'anna', '/no/such/archive.zip'],
    'error: cannot read /no/such/archive.zip: no such file or directory\n',
  ],
  [
    ['import', '--user', 'anna', '--tag', 'x', '--', 'archive.zip'],
    'error: an archive is restored unchanged: --collection and --tag are for notes\n',
  ],
  [['export', 'nobody'], 'error: there is no user nobody; create-user makes one\n'],
  [['reset-password', 'nobody'], 'error: there is no user nobody; create-user makes one\n'],
  [['set-tier', 'user', 'x', 'pro'], 'error: there is no user x; create-user makes one\n'],
  [['set-tier', 'app', 'x', 'pro'], 'error: there is no app with the id x\n'],
  [['set-tier', 'user', 'x', 'gold'], expect.stringContaining("argument 'tier'")],
  [
    ['create-user', '--email', 'no', '--username', 'x'],
    expect.stringMatching(/^error: email: .*; username: .*\n$/),
  ],
])('%j fails with one line', async (words, line) => {
  const said = await run(...words);
  expect(said).toEqual(line);
  expect(said.trimEnd()).not.toContain('\n');
});

it('tells a wrong configuration in one line', async () => {
  const tried = { ...process.env, PORT: 'x' };
  const replaced = jest.replaceProperty(process, 'env', tried);
  expect(await run('migrate')).toBe('error: configuration: PORT must be an integer from 0 to 65535\n');
  replaced.restore();
});

it('an export waits until what a dead process has left of an import is taken back (rule 12.3b)', async () => {
  const made = await run('create-user', '--email', 'ned@example.org', '--username', 'ned');
  const id = /id ([0-9a-f-]{36})/.exec(made)?.[1] as string;
  await withService(async (app) => {
    const [units, database] = [app.get(UnitOfWork), app.get(Database)];
    await units.run(async () => {
      await database.write(
        sql`INSERT INTO tags (owner_id, id, name, name_key, version, created_at, updated_at)
          SELECT ${id}::uuid, gen_random_uuid(), 'half ' || n, 'half ' || n, 1, now(), now() FROM generate_series(1, 1500) AS n`,
      );
      await database.write(
        sql`INSERT INTO sequences (id, is_filling) VALUES (${id}, true) ON CONFLICT (id) DO UPDATE SET is_filling = true`,
      );
    });
  });
  const path = join(dataDir, 'ned.zip');
  output = '';
  expect(await run('export', 'ned', path)).toBe(`Everything of ned (${id}) is in ${path}\n`);
  const entries = await unzipped(await readFile(path));
  expect(entries.get('data/tags.ndjson')?.toString()).toBe('');
});
