import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeptAnswers, slicesOfShowing } from '../../graph/index.js';
import { canonicalText } from '../../kernel/json-values.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access } from '../../privacy/index.js';
import {
  exposureFacts,
  differenceName,
  isShownToDiffer,
  contributionVisibility,
} from '../domain/contribution-visibility.js';
import { shownAgentId } from '../domain/shown-agents.js';
import { type ContributedStep, correctedStatuses } from '../domain/contribution-statuses.js';
import { CONTRIBUTED_FIELDS } from '../domain/written-paths.js';
import {
  ContributionStepsQueries,
  type StepKind,
  type StepRow,
  type StepScope,
} from './contribution-steps.queries.js';
import { type ContributionFilter, type Corrections } from './contributions.source.js';

const AGENT_FIELDS = ['last_modified_by_agent_id', 'agent_metadata.agent_id'];
/** Bounds of three caches: by caller and filter, of hidden steps, and of results for single steps. */
const [MOST_ANSWERS, MOST_CORRECTIONS, MOST_DECISIONS] = [200, 200_000, 100_000];

/**
 * Corrections of contributions for a caller who is shown masked values (rule 3.20c). All steps of the nodes in question
 * are looked at as of the guard's check; later writes do not count.
 */
@Injectable()
export class ContributionCorrections {
  private readonly kept = new KeptAnswers<Corrections>({
    max: MOST_ANSWERS,
    maxSize: MOST_CORRECTIONS,
    sizeCalculation: ({ hidden, corrected }) => 1 + hidden.length + corrected.length,
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
    const { nodeId, agentId, sessionIds } = filter;
    const about = { nodeId, agentId, sessionIds };
    const key = `${access.ownerId} ${access.key} ${isByAgent} ${JSON.stringify(about)}`;
    return this.kept.of(key, access.changes, () =>
      this.make(access, { filter: about, changes: access.changes }, isByAgent),
    );
  }

  private async make(access: Access, scope: StepScope, isByAgent: boolean): Promise<Corrections> {
    const kinds = await this.queries.kinds(access, scope, isByAgent);
    const hidden = kinds.filter((kind) => isHidden(access, kind));
    const corrected = await this.corrected(access, scope, pathsToCompare(access, kinds));
    return { changes: scope.changes, hidden, corrected };
  }

  private async corrected(
    access: Access,
    scope: StepScope,
    paths: readonly string[],
  ): Promise<Corrections['corrected']> {
    const slices = slicesOfShowing();
    const found: Corrections['corrected'] = [];
    let node = new StepsOfNode();
    for await (const row of this.queries.steps(access, scope, paths)) {
      if (row.node_id !== node.id) {
        found.push(...node.corrected());
        node = new StepsOfNode(row.node_id);
      }
      node.add(row, stepOf(row, await this.isShown(access, row, slices)));
    }
    return [...found, ...node.corrected()];
  }

  private async isShown(access: Access, row: StepRow, slices: Slices): Promise<boolean> {
    if (!row.is_readable) return false;
    const verdict = contributionVisibility(access, row.path, row.states);
    if (verdict !== 'compared') return verdict === 'as stored';
    const name = differenceName(access, row);
    const key = `${access.ownerId} ${row.sequence} ${row.path} ${name}`;
    const known = name === null ? undefined : this.decisions.get(key);
    if (known !== undefined) return known;
    const differs = await isShownToDiffer(access, row, slices);
    if (name !== null) this.decisions.set(key, differs);
    return differs;
  }
}

/** The steps of one node and of those that were merged into it, by path. */
class StepsOfNode {
  private readonly steps = new Map<string, { node: string; path: string; steps: ContributedStep[] }>();

  constructor(readonly id: string | null = null) {}

  add({ made_to: node, path }: StepRow, step: ContributedStep): void {
    const key = `${node} ${path}`;
    const known = this.steps.get(key);
    if (known) known.steps.push(step);
    else this.steps.set(key, { node, path, steps: [step] });
  }

  corrected(): Corrections['corrected'] {
    return [...this.steps.values()].flatMap(({ node, path, steps }) =>
      correctedStatuses(steps).map((correction) => ({ node, path, ...correction })),
    );
  }
}

function isHidden(access: Access, { path, states, agent }: StepKind): boolean {
  const [, then, ...now] = states;
  const shownBy = [then, ...now].filter((facts) => facts !== null).map(exposureFacts);
  if (agent !== null && shownAgentId(access, agent, shownBy) !== agent) return true;
  return contributionVisibility(access, path, states) === 'left out';
}

/** Paths with some contributions that are shown and some that may be hidden. */
function pathsToCompare(access: Access, kinds: readonly StepKind[]): string[] {
  const verdicts = new Map<string, Set<string>>();
  for (const { path, states } of kinds) {
    const known = verdicts.get(path) ?? new Set();
    verdicts.set(path, known.add(contributionVisibility(access, path, states)));
  }
  return [...verdicts].flatMap(([path, of]) => (of.size > 1 || of.has('compared') ? [path] : []));
}

const stepOf = (row: StepRow, isShown: boolean): ContributedStep => ({
  version: row.version,
  status: row.status,
  isSuperseded: row.is_superseded,
  isMoved: row.is_moved,
  isCleared: row.is_cleared,
  before: printOf(row.before),
  after: printOf(row.after),
  isShown,
});

/** A hash, because values may be long and all steps of a node are held at once. */
const printOf = (value: unknown): string | null =>
  value === null ? null : createHash('sha256').update(canonicalText(value)).digest('base64url');
