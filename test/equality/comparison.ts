import { isDeepStrictEqual } from 'node:util';
import { HashNames } from '../interference/hash-names.js';
import { comparableAnswer, difference, ORIGIN, type Twins } from '../interference/twins.js';
import { Chance } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { withoutDigest } from '../support/version-tag.js';
import { type About, type Ask, type Outcome, READS, RESOURCES, WRITES } from './equal-requests.js';
import { House, type Visitor } from './house.js';
import { RandomCalls } from './random-calls.js';
import { type Call, callByMcp, clientOf, listedTools } from './tool-calls.js';

const EQUALS = { ...READS, ...WRITES, ...RESOURCES };
/** Calls of one caller. */
const CALLS = 30;
const VISITORS = 3;
/** The API answers every app; they are listed where schemas are of use, and where the app may suggest anything. */
const ANYBODYS: ReadonlySet<string> = new Set(['list_schemas', 'list_proposals']);

export interface Comparison {
  seed: number;
  pairs: number;
  say: (text: string) => void;
  /** The number of differences after which a run ends. */
  enough?: number;
}

/** Calls and outcomes: the value of a run without a difference. */
export class Tally {
  pairs = 0;
  private readonly outcomes = new Map<string, Map<string, number>>();

  compared(call: Call, outcome: Outcome): void {
    this.pairs++;
    this.heard(call, outcome);
  }

  heard({ name }: Call, outcome: Outcome): void {
    const counts = this.outcomes.get(name) ?? new Map<string, number>();
    const end = 'refused' in outcome ? outcome.refused : 'answered';
    this.outcomes.set(name, counts.set(end, (counts.get(end) ?? 0) + 1));
  }

  /** The calls that no caller ever succeeded with. */
  get neverAnswered(): string[] {
    return Object.keys(EQUALS).filter((name) => !this.outcomes.get(name)?.has('answered'));
  }

  get summary(): string {
    const lines = [...this.outcomes].map(
      ([name, counts]) => `${name} ${JSON.stringify(Object.fromEntries(counts))}`,
    );
    return [`${this.pairs} pairs`, ...lines].join('\n  ');
  }
}

/** Random callers of random graphs. @returns the differences between MCP and the API */
export async function compare(
  twins: Twins,
  { seed, pairs, say, enough = 10 }: Comparison,
  tally = new Tally(),
): Promise<string[]> {
  const findings: string[] = [];
  for (let number = 0; tally.pairs < pairs && findings.length < enough; number++) {
    const told = await visits(twins, seed + number, tally);
    if (told !== null) findings.push(`SEED=${seed + number} ${told}`);
    if (told !== null || number % 20 === 19) say(told ?? `${tally.pairs} pairs`);
  }
  say(tally.summary);
  return findings;
}

async function visits(twins: Twins, seed: number, tally: Tally): Promise<string | null> {
  const chance = new Chance(seed);
  const house = await House.build(twins, chance);
  for (let visitor = 0; visitor < VISITORS; visitor++) {
    const told = await new Visit(twins, { house, chance, tally }, await house.visitor()).pay();
    if (told !== null) return told;
  }
  return null;
}

class Visit {
  private readonly calls: RandomCalls;
  private readonly names = [new HashNames(), new HashNames()] as const;
  private listed: ReadonlySet<string> = new Set();

  constructor(
    private readonly twins: Twins,
    private readonly parts: { house: House; chance: Chance; tally: Tally },
    private readonly visitor: Visitor,
  ) {
    this.calls = new RandomCalls(parts.chance, parts.house);
  }

  async pay(): Promise<string | null> {
    const { house, chance } = this.parts;
    await this.list();
    const told = this.visitor.isPlain ? await this.offers() : null;
    if (told !== null) return told;
    for (let count = 0; count < CALLS; count++) {
      if (chance.once(8)) {
        await house.step();
        await this.list();
      }
      const found = await this.pair(this.calls.next());
      if (found !== null) return found;
    }
    return null;
  }

  private async list(): Promise<void> {
    this.listed = new Set(await listedTools(this.visitor.mcp[0]));
  }

  /** Each tool is listed if and only if this caller, for whom nothing is granted by halves, succeeds with it. */
  private async offers(): Promise<string | null> {
    const { twins, parts, visitor, listed } = this;
    const made = async (): Promise<string> =>
      (await twins.made(parts.house.alice.clients, '/nodes', { title: 'own', node_type: 'note' })).body.id;
    const [id, other] = [await made(), await made()];
    const given: Record<string, object> = {
      search: { query: 'sea' },
      fetch: { id },
      neighborhood: { id },
      node_history: { id },
      remember: { title: `thought ${id}` },
      propose_change: { title: 'one', reason: 'x', create: [{ title: 'thought' }] },
      update_node: { id, title: 'changed' },
      link_nodes: { from_id: id, to_id: other, type: 'about' },
      delete_node: { id: await made() },
    };
    // Writes first, so that lists have something to show.
    for (const kind of ['writes', 'reads'] as const)
      for (const name of Object.keys(kind === 'reads' ? READS : WRITES)) {
        const call: Call = { name, kind, given: { ...given[name] }, isModern: false };
        const step = twins.step();
        const outcomes = await Promise.all(visitor.mcp.map((client) => callByMcp(client, call, step)));
        parts.tally.heard(call, outcomes[0] as Outcome);
        for (const outcome of outcomes)
          if (listed.has(name) !== gives(outcome) && !(ANYBODYS.has(name) && gives(outcome)))
            return `${visitor.who}: ${name} is ${listed.has(name) ? '' : 'not '}listed and ${inWords(outcome)}`;
      }
    return null;
  }

  /** @returns the difference between the call and its equal requests */
  private async pair(call: Call): Promise<string | null> {
    const told = call.kind === 'writes' ? await this.written(call) : await this.read(call);
    return told && `${this.visitor.who}, ${JSON.stringify(call)}:\n  ${told}`;
  }

  /** Reads change nothing: both are answered by one world, by each in turn. */
  private async read(call: Call): Promise<string | null> {
    const side = this.parts.chance.below(2) as 0 | 1;
    let [expected, got] = await this.outcomes(call, side, side);
    // A machine that is busy with other work ends reads before their time.
    for (let tries = 0; tries < 5 && [expected, got].some(isOverloaded); tries++)
      [expected, got] = await this.outcomes(call, side, side);
    this.parts.tally.compared(call, expected);
    if (!isDeepStrictEqual(expected, got)) return apart(JSON.stringify(expected), JSON.stringify(got));
    return this.unlisted(call, got);
  }

  /** Writes are made in one world each: then both must be alike in all that their owner is shown. */
  private async written(call: Call): Promise<string | null> {
    const side = this.parts.chance.below(2) as 0 | 1;
    const other = (1 - side) as 0 | 1;
    const [expected, got] = await this.outcomes(call, side, other);
    this.parts.tally.compared(call, expected);
    const named = (at: 0 | 1, outcome: Outcome): string => this.names[at].in(JSON.stringify(outcome));
    const [text, otherText] = [named(side, expected), named(other, got)];
    if (text !== otherText) return apart(text, otherText);
    return this.unlisted(call, got) ?? ('content' in got ? this.stored(call, got.content) : null);
  }

  private async outcomes(call: Call, ofApi: 0 | 1, ofMcp: 0 | 1): Promise<[Outcome, Outcome]> {
    const { api, mcp } = this.visitor;
    const id = this.twins.step();
    const ask = asking(api[ofApi], id);
    const about: About = { origin: ORIGIN, client: clientOf(call) };
    const equal = EQUALS[call.name] as (typeof READS)[string];
    const [expected, got] = await Promise.all([
      equal(ask, call.given, about),
      callByMcp(mcp[ofMcp], call, id),
    ]);
    return [call.kind === 'resource' ? withoutStatus(expected) : expected, got];
  }

  /** A tool that is not listed must be refused: a list may be too long or too short for a moment, never a permission. */
  private unlisted({ name, kind }: Call, outcome: Outcome): string | null {
    if (kind === 'resource' || ANYBODYS.has(name) || this.listed.has(name) || !gives(outcome)) return null;
    // A note that the caller is shown already is found before a permission to write is asked for: nothing is written.
    if (isKnown(outcome)) return null;
    return `${name} is not listed and ${inWords(outcome)}`;
  }

  private async stored({ given }: Call, content: unknown): Promise<string | null> {
    const { alice } = this.parts.house;
    const { id, from_id: from } = given as { id?: string; from_id?: string };
    const { node: made } = content as { node?: { id: string } };
    // Later calls are about it, too.
    if (made !== undefined) this.parts.house.nodes.push(made.id);
    const history = [id, from, made?.id]
      .filter((one) => one !== undefined)
      .map((one) => `/nodes/${one}/history`);
    for (const path of ['/sync?include=relationships,tags&limit=1000', '/proposals?limit=100', ...history]) {
      const [one, other] = (await this.twins.send(alice.clients, { method: 'GET', path })).map((answer) =>
        comparableAnswer(withoutDigest(answer), path),
      ) as [string, string];
      if (one !== other) return `stored, ${path}: ${difference(one, other)}`;
    }
    return null;
  }
}

const asking =
  (client: Client, id: string): Ask =>
  (method, path, body, headers = {}) =>
    // Bytes: beside a text, Node would write the head in its encoding.
    client.send(method, path, body && Buffer.from(JSON.stringify(body)), {
      headers: { ...(headers as Record<string, string>), 'X-Request-Id': id },
    });

/** A resource that is absent is not found; any other refusal has its code. */
function withoutStatus(outcome: Outcome): Outcome {
  if (!('refused' in outcome)) return outcome;
  const [status, code] = outcome.refused.split(' ');
  return { refused: status === '404' ? '404' : `200 ${code}` };
}

/** True for a success with something in it: the API shows an empty list to those who may see nothing of its kind. */
function gives(outcome: Outcome): boolean {
  if ('refused' in outcome) return false;
  return (outcome.content as { total?: number }).total !== 0;
}

const isKnown = (outcome: Outcome): boolean =>
  'content' in outcome && (outcome.content as { outcome?: string }).outcome === 'known already';
const inWords = (outcome: Outcome): string =>
  'refused' in outcome ? `refused: ${outcome.refused}` : 'answered';
const isOverloaded = (outcome: Outcome): boolean =>
  'refused' in outcome && /^(503|200 SERV)/.test(outcome.refused);
const apart = (expected: string, got: string): string => `API and MCP: ${difference(expected, got)}`;
