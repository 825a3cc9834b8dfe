import { onlyReads } from '../../src/kernel/http/endpoint.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { type Client } from '../support/client.js';
import { type Operation, operationsOf } from '../support/operations.js';
import { bodyOf, pathOf, type Things } from '../support/plausible.js';
import { type World } from '../support/world.js';
import { EventReader } from '../sync/pages.js';
import { type ExecutedPlans } from './executed-plans.js';
import { callersOf, type Caller, type GrowingAccount } from './growing-account.js';
import { GROWTH, type Growth } from './growth-questions.js';

/** One caller's request, and the allowed growth of its work. */
export interface Asked {
  /** Operation, query or body, caller. */
  title: string;
  operation: Operation;
  question: string;
  caller: Caller;
  growth: Growth;
}

/** The work of PostgreSQL for an answer. */
export interface Work {
  statements: number;
  rows: number;
  pages: number;
}

/** `cold`: the first answer after a change. `warm`: the one after it. */
export interface Measured {
  cold: Work;
  warm: Work;
}

/** Statements that run after the answers, of this request or another one. */
const BEHIND =
  /^\s*(WITH\b[^]*)?INSERT INTO (access_log|app_usage)|^\s*SELECT id FROM users WHERE id = ANY\(\$1::uuid\[\]\)/;

/** Operations that need the request of a client: test/oauth/consents has them. */
const WITH_A_CLIENT = ['GET /api/v1/oauth/consent'];

const nameOfPath = (path: string): string => path.replace(/[:*]([A-Za-z_]+)/g, '{$1}');

/** Reading operations by the names that GROWTH uses. */
export function readingOperations(world: World): Operation[] {
  const { routes } = world.nest.get(RouteTable);
  const endpoints = new Map(
    routes.map(({ method, path, endpoint }) => [`${method} ${nameOfPath(path)}`, endpoint]),
  );
  return operationsOf(world.nest)
    .filter(({ name, method }) => !WITH_A_CLIENT.includes(name) && onlyReads(method, endpoints.get(name)))
    .map((operation) => ({ ...operation, name: operation.name.replace('/api/v1', '') }));
}

export function questionsOf(operation: Operation): Asked[] {
  const declared = GROWTH[operation.name];
  if (declared === undefined) return [];
  const byQuestion = isByCaller(declared) ? { '': declared } : declared;
  return Object.entries(byQuestion).flatMap(([question, growths]) =>
    callersOf(operation).flatMap((caller) => {
      const growth =
        typeof growths !== 'string' ? growths[caller] : caller === 'masked' ? undefined : growths;
      const title = [operation.name, question, caller].filter((part) => part !== '').join(' ');
      return growth === undefined ? [] : [{ title, operation, question, caller, growth }];
    }),
  );
}

const isByCaller = (
  declared: (typeof GROWTH)[string],
): declared is Growth | Partial<Record<Caller, Growth>> =>
  typeof declared === 'string' || 'owner' in declared || 'app' in declared || 'masked' in declared;

export class QuestionAsker {
  constructor(
    private readonly account: GrowingAccount,
    private readonly plans: ExecutedPlans,
    private readonly origin: string,
  ) {}

  async measure(asked: Asked): Promise<Measured> {
    const ask = await this.prepare(asked);
    await this.account.touch();
    const cold = await this.during(ask);
    const warm = await this.during(ask);
    return { cold, warm };
  }

  private async during(ask: () => Promise<unknown>): Promise<Work> {
    this.plans.taken();
    await ask();
    const executions = this.plans.taken().filter(({ text }) => !BEHIND.test(text));
    const sum = (measure: 'rows' | 'pages') =>
      executions.reduce((total, execution) => total + execution[measure], 0);
    return { statements: executions.length, rows: sum('rows'), pages: sum('pages') };
  }

  private async prepare({ operation, question, caller, title }: Asked): Promise<() => Promise<unknown>> {
    const { client, things } = this.account.askers[caller];
    const at = pathOf(operation, things);
    const given = question.startsWith('{"') ? (JSON.parse(question) as object) : undefined;
    const query = given ? '' : await filled(question, { operation, client, things, path: at });
    const body = bodyOf(operation, things, 1);
    const sent = given ? { ...given, limit: 10 } : body;
    const [plain] = at.split('?') as [string];
    const whole = withQuery(question === '{link}' ? plain : at, [query, limitOf(operation, query)]);
    if (operation.name === 'GET /sync/stream') return () => this.firstEvent(whole, client);
    return async () => {
      const answer = await client.send(operation.method, whole, sent);
      if (answer.status >= 300) throw new Error(`${title}: ${answer.status} ${answer.text}`);
      return answer;
    };
  }

  /** Reads a stream to its first event: its statements run after the beginning of its answer. */
  private async firstEvent(path: string, { credentials }: Client): Promise<void> {
    const stream = await EventReader.open(this.origin, path.replace('//api/v1', ''), credentials);
    await stream.next();
    stream.leave();
  }
}

interface Place {
  operation: Operation;
  client: Client;
  things: Things;
  path: string;
}

function limitOf({ parameters }: Operation, query: string): string {
  const name = ['per_page', 'limit'].find((one) => parameters.some((parameter) => parameter.name === one));
  return name === undefined || query.includes(`${name}=`) ? '' : `${name}=10`;
}

const withQuery = (path: string, parts: readonly string[]): string => {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
};

/** The query with its placeholders replaced by this caller's current values. */
async function filled(query: string, { client, things, path }: Place): Promise<string> {
  const get = async (more: string) => (await client.get(withQuery(path, [more]))).body;
  const [, placeholder] = /\{(\w+)\}/.exec(query) ?? [];
  const of: Record<string, () => Promise<string>> = {
    deep: async () => {
      const { total } = await get(query.replace(/&?offset=\{deep\}/, ''));
      return String(Math.max(0, (total as number) - 5));
    },
    next: async () => (await get('limit=10')).cursor as string,
    end: async () => {
      const name = query.slice(0, query.indexOf('='));
      let page = await get('limit=1000');
      while (page.has_more) page = await get(`limit=1000&${name}=${encodeURIComponent(page.cursor)}`);
      return page.cursor as string;
    },
    link: async () =>
      new URL((await client.get(`/nodes/${things.file}/download`)).body.download_url as string).search.slice(
        1,
      ),
  };
  if (placeholder === undefined) return query;
  const value = await (of[placeholder]?.() ?? things[placeholder]);
  return placeholder === 'link'
    ? (value as string)
    : query.replace(`{${placeholder}}`, encodeURIComponent(value as string));
}
