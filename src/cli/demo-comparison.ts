import { columns } from './columns.js';
import { type DemoViewer, type Person } from './demo-cast.js';
import { type Answer } from './demo-client.js';

interface Node extends Record<string, unknown> {
  id: string;
  title?: string;
}

interface DemoQuestion {
  label: string;
  path: string;
  describe: (answer: Answer) => string;
}

const LABEL = 30;
const SHOWN = 3;
const MAX_WIDTH = 40;

/** Makes the same calls as the owner and as each app, one column for each. */
export async function compare(person: Person, apps: readonly DemoViewer[]): Promise<string[]> {
  const viewers: DemoViewer[] = [person, ...apps];
  // The first request of a caller fills caches that later ones use.
  for (const { client } of viewers) await client.get('/nodes?limit=1');
  const word = await wordOf(apps[0] as DemoViewer);
  const questions = [
    ...commonQuestions(word),
    ...(person.noteId === undefined ? [] : [noteQuestion(person.noteId)]),
  ];
  const rows = [
    ['', ...viewers.map(({ name }) => name)],
    ['may see', ...viewers.map(({ terms }) => terms)],
    ...(await inTurn(questions, async (question) => [
      question.label,
      ...(await inTurn(viewers, (one) => ask(one, question))),
    ])),
  ];
  const widths = [LABEL, ...viewers.map(() => MAX_WIDTH)];
  return rows.flatMap((row) => [...columns([row], widths), '']);
}

function commonQuestions(word: string): DemoQuestion[] {
  return [
    {
      label: 'GET /nodes',
      path: '/nodes?limit=100&include_tags=true',
      describe: ({ body }) =>
        `${body['total'] as number} in all, newest first:\n${titles(body['nodes'] as Node[])}`,
    },
    {
      label: 'GET /nodes/count',
      path: '/nodes/count',
      describe: ({ body }) => `${body['count'] as number} in all`,
    },
    {
      label: `GET /nodes?search=${word}`,
      path: `/nodes?search=${encodeURIComponent(word)}`,
      describe: ({ body }) => `${body['total'] as number} found`,
    },
    {
      label: 'GET /nodes?node_type=EXPERIENCE',
      path: '/nodes?node_type=EXPERIENCE&limit=100',
      describe: ({ body }) => `${body['total'] as number} in all`,
    },
    {
      label: 'GET /nodes?node_type=CONTACT',
      path: '/nodes?node_type=CONTACT',
      describe: ({ body }) => `${body['total'] as number} in all`,
    },
    { label: 'GET /tags', path: '/tags', describe: ({ body }) => `${body['total'] as number} in all` },
    {
      label: 'GET /relationships',
      path: '/relationships',
      describe: ({ body }) => `${body['total'] as number} in all`,
    },
  ];
}

function noteQuestion(id: string): DemoQuestion {
  return {
    label: 'GET /nodes/<one note>',
    path: `/nodes/${id}`,
    describe: ({ body }) =>
      `title: ${String(body['title'])}\nvalue: ${'value' in body ? String(body['value']) : '(not shown)'}`,
  };
}

async function ask({ client }: DemoViewer, { path, describe }: DemoQuestion): Promise<string> {
  const answer = await client.get(path);
  return `${describe(answer)}\n(${answer.milliseconds.toFixed(1)} ms)`;
}

function titles(nodes: readonly Node[]): string {
  const shown = nodes.slice(0, SHOWN).map(({ title }) => `- ${title ?? '(no title)'}`);
  return [...shown, ...(nodes.length > SHOWN ? ['- …'] : [])].join('\n');
}

/** The most frequent word in the titles that this viewer sees, so that every search finds something. */
async function wordOf({ client }: DemoViewer): Promise<string> {
  const nodes = (await client.get('/nodes?limit=100')).body['nodes'] as Node[];
  const counts = new Map<string, number>();
  for (const { title = '' } of nodes) {
    for (const word of new Set(title.toLowerCase().match(/\p{L}{5,}/gu)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [word = 'note'] = [...counts].sort((a, b) => b[1] - a[1]).map(([each]) => each);
  return word;
}

/** Runs one after the other, so that calls do not slow each other down. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
