import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { logFile, SERVICE } from './dataset/databases.js';
import { ROOT, startServer, type Target } from './targets/process.js';

const HELP = `npm run bench:search -- [options]
  --notes <folder>      the Markdown notes in which answers are sought: the folder docs of
                        github.com/foambubble/foam, to which the questions of the repository belong
  --questions <file>    language, question and gold note(s), separated by tabs
                        (default bench/search/questions.tsv)
  --missed              print the questions whose gold note is not among the first five
The database is an embedded one, or a new and empty one that DATABASE_URL names.`;

const DEPTH = 10;
const PERSON = { username: 'reader', email: 'reader@example.org', password: 'correct horse battery' };

interface Question {
  language: string;
  text: string;
  gold: string[];
}

interface Hit {
  title: string;
  tags: string[];
  metadata: { source?: { file?: string } };
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    notes: { type: 'string' },
    questions: { type: 'string', default: `${ROOT}bench/search/questions.tsv` },
    missed: { type: 'boolean', default: false },
  },
});
if (values.help || values.notes === undefined) {
  console.log(HELP);
  process.exit(values.help ? 0 : 1);
}

mkdirSync(`${ROOT}.services/bench`, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'pig-search-'));
const environment = {
  DATA_DIR: folder,
  DATABASE_URL: process.env['DATABASE_URL'] ?? '',
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'error',
};
try {
  takeIn(values.notes);
  const service = await startServer({
    name: 'service',
    script: SERVICE,
    environment,
    readyPath: '/health/ready',
    log: logFile('search'),
  });
  report(await ranksIn(service));
  await service.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Imports the notes as a person would. */
function takeIn(notes: string): void {
  const command = (...args: string[]): void => {
    execFileSync(process.execPath, ['dist/cli/main.js', ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...environment },
      input: PERSON.password,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  };
  command('create-user', '--email', PERSON.email, '--username', PERSON.username, '--password-stdin');
  command('import', '--user', PERSON.username, '--any-size', notes);
}

async function ranksIn({
  port,
}: Target): Promise<{ question: Question; rank: number | null; total: number }[]> {
  const post = async (path: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    const url = `http://127.0.0.1:${port}/api/v1${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { email, password } = PERSON;
  const token = (await post('/auth/login', { email, password }))['access_token'] as string;
  const ranked = [];
  for (const question of questions(values.questions)) {
    const { nodes, total } = await post('/nodes/search', { query: question.text, limit: DEPTH }, token);
    const rank = (nodes as Hit[]).findIndex((hit) => question.gold.some((path) => isAt(hit, path))) + 1;
    ranked.push({ question, rank: rank === 0 ? null : rank, total: total as number });
  }
  return ranked;
}

function questions(file: string): Question[] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [language, text, gold] = line.split('\t') as [string, string, string];
    return { language, text, gold: gold.trim().split(', ') };
  });
}

/** True if the node is the note of that path: the importer makes tags of the folders. */
function isAt({ tags, metadata }: Hit, path: string): boolean {
  const file = metadata.source?.file?.replace(/\.md$/, '');
  return (
    file !== undefined && ['', ...tags.map((tag) => `${tag}/`)].some((start) => `${start}${file}` === path)
  );
}

function report(ranked: Awaited<ReturnType<typeof ranksIn>>): void {
  const lines = ['| questions | number | R@1 | R@5 | R@10 | nothing found |', '|---|---|---|---|---|---|'];
  const row = (name: string, some: typeof ranked): void => {
    const within = (most: number): string => {
      const count = some.filter(({ rank }) => rank !== null && rank <= most).length;
      return `${((100 * count) / some.length).toFixed(1)} %`;
    };
    const none = some.filter(({ total }) => total === 0).length;
    lines.push(`| ${name} | ${some.length} | ${within(1)} | ${within(5)} | ${within(10)} | ${none} |`);
  };
  row('all', ranked);
  for (const language of new Set(ranked.map(({ question }) => question.language)))
    row(
      language,
      ranked.filter(({ question }) => question.language === language),
    );
  console.log(lines.join('\n'));
  writeFileSync(`${ROOT}.services/bench/search.md`, `${lines.join('\n')}\n`);
  if (!values.missed) return;
  for (const { question, rank } of ranked)
    if (rank === null || rank > 5)
      console.log(`${rank ?? '-'}\t${question.text}\t${question.gold.join(', ')}`);
}
