import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SnapshotCache, slicesOfShowing } from '../../graph/index.js';
import { canonicalText } from '../../kernel/json/json-values.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { Lookup } from '../../kernel/database/lookup.js';
import { rest, type Slices, type Steps } from '../../kernel/slices.js';
import { type Access } from '../../privacy/index.js';
import {
  exposureFacts,
  differenceName,
  contributionVisibility,
  type ContributionVisibility,
  shownInStep,
  type StoredStates,
} from '../domain/contribution-visibility.js';
import { shownAgentId } from '../domain/shown-agents.js';
import { type ContributedStep, type Correction, correctedStatuses } from '../domain/contribution-statuses.js';
import { CONTRIBUTED_FIELDS } from '../domain/written-paths.js';
import {
  ContributionStepsQueries,
  type StepKind,
  type StepRow,
  type StepScope,
} from './contribution-steps.queries.js';
import { type ContributionFilter, type Corrections, LEFT_OUT } from './contributions.source.js';

const AGENT_FIELDS = ['last_modified_by_agent_id', 'agent_metadata.agent_id'];
/** Bounds of two caches: of corrections by caller and filter, and of results for single steps. */
const [MOST_ANSWERS, MOST_CHARACTERS, MOST_DECISIONS] = [200, 16 * 1024 * 1024, 100_000];
/** The bound of what one request remembers of paths and states. */
const MOST_VERDICTS = 10_000;

/**
 * Corrections of contributions for a caller who is shown masked values (rule 3.20c). All steps of the nodes in question
 * are looked at as of the guard's check; later writes do not count.
 */
@Injectable()
export class ContributionCorrections {
  private readonly kept = new SnapshotCache<Corrections>({
    max: MOST_ANSWERS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ kinds, hidden, corrected }) => 1 + kinds.size + hidden.size + corrected.size,
  });
  /** Results never expire: a step of the log and its values never change. */
  private readonly decisions = new LRUCache<string, boolean>({ max: MOST_DECISIONS });

  constructor(private readonly queries: ContributionStepsQueries) {}

  /**
   * @param isByAgent true if agents are distinguished: steps of an agent whose id is masked are then left out, because
   *   neither a list nor the answer to a guess may reveal it
   * @returns null for a caller who sees stored values
   */
  async of(access: Access, filter: ContributionFilter, isByAgent: boolean): Promise<Corrections | null> {
    const fields = isByAgent ? [...CONTRIBUTED_FIELDS, ...AGENT_FIELDS] : CONTRIBUTED_FIELDS;
    if (!fields.some((field) => access.exposure.transforms(field))) return null;
    const { nodeId, agentId, sessionIds, inSession } = filter;
    const about = { nodeId, agentId, sessionIds, inSession };
    const key = `${access.ownerId} ${access.key} ${isByAgent} ${JSON.stringify(about)}`;
    return this.kept.of(key, access.changes, () =>
      this.make(access, { filter: about, changes: access.changes }, isByAgent),
    );
  }

  private async make(access: Access, scope: StepScope, isByAgent: boolean): Promise<Corrections> {
    const slices = slicesOfShowing();
    const kinds = await this.queries.kinds(access, scope, isByAgent);
    const judged = await slices.run(judging(access, kinds));
    const corrected = await this.corrected(access, scope, { paths: pathsToCompare(judged), slices });
    return {
      changes: scope.changes,
      kinds: await Lookup.of(judged.kinds),
      hidden: await Lookup.of(judged.hidden),
      corrected: await Lookup.of(corrected),
    };
  }

  private async corrected(
    access: Access,
    scope: StepScope,
    { paths, slices }: { paths: readonly string[]; slices: Slices },
  ): Promise<CorrectedEntry[]> {
    const look = { slices, verdicts: new LRUCache<string, ContributionVisibility>({ max: MOST_VERDICTS }) };
    const found: CorrectedEntry[] = [];
    let node = new StepsOfNode();
    for await (const row of this.queries.steps(access, scope, paths)) {
      await rest();
      if (row.node_id !== node.id) {
        await slices.run(node.corrections(found));
        node = new StepsOfNode(row.node_id);
      }
      const step = stepOf(row);
      node.add(row, { ...step, isShown: await this.isShown(access, { row, step, node }, look) });
    }
    await slices.run(node.corrections(found));
    return found;
  }

  private async isShown(
    access: Access,
    { row, step, node }: { row: StepRow; step: HashedStep; node: StepsOfNode },
    { slices, verdicts }: Look,
  ): Promise<boolean> {
    const left = node.takeLeft(row);
    if (!row.is_readable) return false;
    const verdict = remembered(verdicts, `${row.path} ${JSON.stringify(row.states)}`, () =>
      contributionVisibility(access, row.path, row.states),
    );
    if (verdict !== 'compared') return verdict === 'as stored';
    if (step.before === null || step.after === null) return true;
    const name = differenceName(access, row);
    const key = `${access.ownerId} ${row.sequence} ${row.path} ${name}`;
    const known = name === null ? undefined : this.decisions.get(key);
    if (known !== undefined) return known;
    const print = async (value: unknown) => printOf(await shownInStep(access, row, { value, slices }));
    const isShownBefore = name !== null && left?.name === name && left.stored === step.before;
    const before = isShownBefore ? left.shown : await print(row.before);
    const after = await print(row.after);
    node.leave(row, { name, stored: step.after, shown: after });
    if (name !== null) this.decisions.set(key, before !== after);
    return before !== after;
  }
}

/** The memory of one request while it looks at steps. */
interface Look {
  slices: Slices;
  /** Values by path and states. */
  verdicts: LRUCache<string, ContributionVisibility>;
}

type HashedStep = Omit<ContributedStep, 'isShown'>;

function remembered<V extends object | string>(cache: LRUCache<string, V>, key: string, make: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

/** The hashes of a value that a step left at a path, as it is stored and as it was shown. */
interface LeftValue {
  /** The name of the difference: equal values are shown equally under equal names. */
  name: string | null;
  stored: string;
  shown: string | null;
}

/** The steps of one node and of those that were merged into it, by path. */
class StepsOfNode {
  private readonly steps = new Map<string, { node: string; path: string; steps: ContributedStep[] }>();
  private readonly left = new Map<string, LeftValue>();

  constructor(readonly id: string | null = null) {}

  /** The value that the last step at this place left, unless it was not compared: for the next step only. */
  takeLeft(row: StepRow): LeftValue | undefined {
    const place = placeOf(row);
    const left = this.left.get(place);
    this.left.delete(place);
    return left;
  }

  leave(row: StepRow, left: LeftValue): void {
    this.left.set(placeOf(row), left);
  }

  add(row: StepRow, step: ContributedStep): void {
    const { made_to: node, path } = row;
    const key = placeOf(row);
    const known = this.steps.get(key);
    if (known) known.steps.push(step);
    else this.steps.set(key, { node, path, steps: [step] });
  }

  /** Adds the corrections of one path after the other, which may be hundreds of thousands. */
  *corrections(found: CorrectedEntry[]): Steps<void> {
    for (const { node, path, steps } of this.steps.values()) {
      for (const correction of yield* correctedStatuses(steps)) found.push(entryOf(node, path, correction));
      yield undefined;
    }
  }
}

/** An entry of {@link Corrections.corrected}. */
type CorrectedEntry = readonly [key: string, status: string];

const entryOf = (node: string, path: string, { version, status }: Correction): CorrectedEntry => [
  `${node} ${version} ${path}`,
  status ?? LEFT_OUT,
];

/** The entries of {@link Corrections}, and the visibility of each path in different states. */
interface JudgedKinds {
  kinds: ReadonlyMap<string, number>;
  hidden: [key: string, is: number][];
  paths: ReadonlyMap<string, ReadonlySet<ContributionVisibility>>;
}

/** A writer may have used hundreds of thousands of paths. */
function* judging(access: Access, all: readonly StepKind[]): Steps<JudgedKinds> {
  const known = new Map<string, { number: number; states: StoredStates }>();
  const kinds = new Map<string, number>();
  const hidden: JudgedKinds['hidden'] = [];
  const paths = new Map<string, Set<ContributionVisibility>>();
  for (const { path, states: text, agent } of all) {
    yield undefined;
    let kind = known.get(text);
    if (kind === undefined)
      known.set(text, (kind = { number: known.size, states: parseJson(text) as StoredStates }));
    const visibility = contributionVisibility(access, path, kind.states);
    const before = paths.get(path);
    if (before) before.add(visibility);
    else paths.set(path, new Set([visibility]));
    const isAgentHidden = agent !== null && hidesAgent(access, agent, kind.states);
    if (visibility === 'left out') hidden.push([`${kind.number} ${path}`, 1]);
    if (isAgentHidden) hidden.push([`${kind.number} ${agent}`, 1]);
    if (visibility === 'left out' || isAgentHidden) kinds.set(text, kind.number);
  }
  return { kinds, hidden, paths };
}

function hidesAgent(access: Access, agent: string, [, then, ...now]: StoredStates): boolean {
  const shownBy = [then, ...now].filter((facts) => facts !== null).map(exposureFacts);
  return shownAgentId(access, agent, shownBy) !== agent;
}

/** Paths with some contributions that are shown and some that may be hidden. */
const pathsToCompare = ({ paths }: JudgedKinds): string[] =>
  [...paths].flatMap(([path, of]) => (of.size > 1 || of.has('compared') ? [path] : []));

const placeOf = ({ made_to, path }: StepRow): string => `${made_to} ${path}`;

const stepOf = (row: StepRow): HashedStep => ({
  version: row.version,
  status: row.status,
  isSuperseded: row.is_superseded,
  isMoved: row.is_moved,
  isCleared: row.is_cleared,
  before: printOf(row.before),
  after: printOf(row.after),
});

/** A hash, because values may be long and all steps of a node are held at once. */
const printOf = (value: unknown): string | null =>
  value === null ? null : createHash('sha256').update(canonicalText(value)).digest('base64url');
