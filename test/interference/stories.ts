import { Chance } from '../properties/random.js';
import { type Answer, type Client } from '../support/client.js';
import { AssistantClient, mcpOperations } from '../support/mcp-operations.js';
import { type Operation } from '../support/operations.js';
import { withoutDigest } from '../support/version-tag.js';
import { HashNames } from './hash-names.js';
import { Hooks } from './hooks.js';
import { InnerRequests, type PairedRequest } from './inner-requests.js';
import { Life } from './life.js';
import { openingOf } from './opening.js';
import { askable, RandomRequests } from './random-requests.js';
import { type Heard } from './reviews.js';
import { type Pool } from './pool.js';
import { line } from './secret-life.js';
import { hasKey, isApp, isInner, type Subject } from './subjects.js';
import { type Both, comparableAnswer, DELIVERIES, difference, type Twins, type Work } from './twins.js';

export interface Plan {
  subject: Subject;
  seed: number;
  /** The number of the subject's requests. */
  most: number;
  /** A pattern of operations to try; by default all. */
  only?: RegExp;
  /** Called with each answer to a pair. */
  heard?: Heard;
  /** Called with the owner's decisions on the subject's proposals. */
  reviewed?: Heard;
}

export interface StoryResult {
  pairs: number;
  /** Null: all answers were equal. */
  finding: string | null;
}

/** One subject's life beside Alice, in both worlds, until an answer differs. */
export async function runStory(twins: Twins, plan: Plan): Promise<StoryResult> {
  const chance = new Chance(plan.seed);
  const life = await Life.begin(twins, plan.subject, chance, plan.reviewed);
  const names = [new HashNames(), new HashNames()] as const;
  const hooks = new Hooks(twins, life.clients, { chance, names });
  try {
    if (isApp(plan.subject) && plan.subject !== 'stranger app') await hooks.subscribe();
    return await new Story(twins, { life, hooks, chance, names }, plan).tell();
  } finally {
    await hooks.stop();
  }
}

/** The requests of an inner subject, or of another one. */
export function requestsOf(life: Life, chance: Chance): RandomRequests | InnerRequests {
  const { subject, pool, nodes, deeds } = life;
  const others = new RandomRequests(chance, pool, life.tagNames, hasKey(subject) ? 'key' : 'user');
  const guess = (node: string, field: 'pin' | 'value'): unknown =>
    deeds?.guess(guessedNode(subject, node, pool), field);
  if (!isInner(subject)) return others;
  const isShownHashes = subject === 'hashed app' || subject === 'pseudonymous app';
  return new InnerRequests({ chance, pool, others, nodes, guess, isShownHashes });
}

/**
 * The node whose hidden values are guessed in writes to this one. A hash confirms a right guess in its own
 * place, and a pseudonym any right guess (see ACCEPTED_ORACLES).
 */
function guessedNode(subject: Subject, node: string, pool: Pool): string | null {
  if (subject === 'pseudonymous app') return null;
  if (subject !== 'hashed app') return node;
  const other = pool.pick('node');
  return other === node ? null : other;
}

class Story {
  private readonly operations: Operation[];
  private readonly requests: RandomRequests | InnerRequests;

  constructor(
    private readonly twins: Twins,
    private readonly parts: { life: Life; hooks: Hooks; chance: Chance; names: Both<HashNames> },
    private readonly plan: Plan,
  ) {
    const { only } = plan;
    const all = [...askable(twins.operations), ...(speaksMcp(plan) ? mcpOperations() : [])];
    this.operations = all.filter(({ name }) => only?.test(name) ?? true);
    this.requests = requestsOf(parts.life, parts.chance);
  }

  async tell(): Promise<StoryResult> {
    const { life, hooks, chance } = this.parts;
    const { most, only, subject } = this.plan;
    const opening = only === undefined ? openingOf(hasKey(subject) ? 'key' : 'user', life) : [];
    for (let pair = 1; pair <= most; pair++) {
      if (chance.once(6)) await life.secretStep();
      if (chance.once(10)) await life.openStep();
      await life.review();
      const request = opening[pair - 1] ?? this.requests.next(this.operations, pair === most);
      const what = (await this.pair(request)) ?? (pair % 25 === 0 ? await webhooks(hooks) : null);
      if (what !== null) {
        const finding = [`${subject}, pair ${pair}:`, ...life.told.slice(-14), what].join('\n  ');
        return { pairs: pair, finding };
      }
    }
    return { pairs: most, finding: null };
  }

  /** @returns the difference between the two worlds' answers, or between their work for them */
  private async pair(request: PairedRequest): Promise<string | null> {
    const clients = this.parts.life.clients.map(AssistantClient.of) as unknown as Both<Client>;
    const { paths = [request.path, request.path] as const } = request;
    const [one, other] = [0, 1].map((side) => ({ ...request, path: paths[side] as string }));
    const { answers, work } = await this.twins.watched(clients, [one!, other!]);
    this.plan.heard?.(request.name, answers[0].status);
    const named = (side: 0 | 1, text: string): string => this.parts.names[side].in(text);
    const comparable = (side: 0 | 1): string => {
      const answer = withoutDigest(answers[side]);
      return comparableAnswer({ ...answer, text: named(side, answer.text) }, request.path);
    };
    const [text, otherText] = [comparable(0), comparable(1)];
    if (text !== otherText) return `${line(request)}\n  ${difference(text, otherText)}`;
    if (answers[0].status >= 500) return `${line(request)} ${text}`;
    this.learn(request, answers);
    const tasks = [named(0, work.tasks[0]), named(1, work.tasks[1])] as const;
    const works = isInner(this.plan.subject) ? workApart({ ...work, tasks }) : null;
    return works === null ? null : `${line(request)} ${answers[0].status} ${works}`;
  }

  private learn(request: PairedRequest, answers: Both<Answer>): void {
    const { life } = this.parts;
    const [{ status, body }] = answers;
    if (this.requests instanceof InnerRequests) this.requests.hear(request, answers);
    if (status === 404) life.pool.misses(request.path);
    if (request.method !== 'GET') {
      life.told.push(`asked: ${line(request)} ${status}`);
      if (status < 300) life.wrote(request);
    }
    if (status < 300 && !DELIVERIES.test(request.path) && !/\/events/.test(request.path))
      life.pool.feed(request.path, body);
  }
}

/** True for apps that call tools as well: from them whole things are hidden, so that scores of words are alike. */
const speaksMcp = ({ subject }: Plan): boolean => hasKey(subject) && !isInner(subject);

async function webhooks(hooks: Hooks): Promise<string | null> {
  const told = await hooks.compare();
  return told === null ? null : `webhooks: ${told}`;
}

/** The difference in the work of the two worlds; null without one. */
function workApart({ tasks, statements }: Work): string | null {
  if (tasks[0] !== tasks[1]) return `holds against schemas: ${difference(...tasks)}`;
  if (statements[0] !== statements[1]) return `statements: ${difference(...statements)}`;
  return null;
}
