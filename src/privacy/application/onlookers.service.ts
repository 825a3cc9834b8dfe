import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ConfirmRights, NO_RIGHTS } from '../../identity/index.js';
import { type RecordedChange } from '../../kernel/change-log/change.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { rest, Slices } from '../../kernel/slices.js';
import { appAccess } from '../domain/access-of.js';
import { ceilingOf, NO_CEILING } from '../domain/ceiling.js';
import {
  addOnlookersOfShares,
  anyOpened,
  latest,
  movedNodes,
  type Onlooker,
  shownMore,
} from '../domain/onlooker.js';
import { type TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import { type OnlookingApp, OnlookersQueries } from '../infrastructure/onlookers.queries.js';
import { SharesQueries } from '../infrastructure/shares.queries.js';
import { VocabularyQueries } from '../infrastructure/vocabulary.queries.js';
import { Accesses } from './accesses.service.js';

export interface Judgement {
  /** The policy counters of owners, as they stood when the request came. */
  known: ReadonlyMap<string, number>;
  confirm: ConfirmRights;
}

interface CachedOnlookers {
  policy: number;
  onlookers: readonly Onlooker[];
  /** An estimate of the memory that they take. */
  bytes: number;
}

/** True for a change of an applied proposal: its approval has counted it (rule 1.16g). */
const isByProposal = ({ actor }: RecordedChange): boolean =>
  actor.type === 'app' && typeof actor.proposalId === 'string';

const MAX_KNOWN = 1_000;
/** The bound of the onlookers of all owners. */
const MAX_BYTES = 32 * 1024 * 1024;
const LEAST_BYTES = 1024;

/**
 * Finds the onlookers of a graph and what a write shows them (rule 1.16). Everything that decides what they
 * see raises the owner's policy counter, by which they are cached: a graph without onlookers costs one
 * look-up for all writes.
 */
@Injectable()
export class Onlookers {
  private readonly known = new LRUCache<string, CachedOnlookers>({
    max: MAX_KNOWN,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(
    private readonly queries: OnlookersQueries,
    private readonly shares: SharesQueries,
    private readonly vocabularies: VocabularyQueries,
    private readonly accesses: Accesses,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the nodes that onlookers are newly shown, or shown more of, by a unit of work that is about to be
   * written.
   * @throws the errors of `confirm`
   */
  async confirm(
    changes: ReadonlyMap<string, readonly RecordedChange[]>,
    { known, confirm }: Judgement,
  ): Promise<void> {
    const shown: string[] = [];
    for (const [ownerId, recorded] of changes) {
      const moved = movedNodes(recorded.filter((one) => !isByProposal(one)));
      if (moved.length === 0) continue;
      const restored = moved.flatMap(({ id, from }) => (from === null ? [id] : []));
      const whole = await this.queries.sharedWhole(ownerId, restored, this.clock.now());
      shown.push(...whole);
      const isPlain = recorded.every(({ change }) => change.entity === 'node');
      const onlookers = await this.of(ownerId, isPlain ? known.get(ownerId) : undefined);
      const others = moved.filter(({ id }) => !whole.has(id));
      shown.push(...(await new Slices(Infinity).run(shownMore(others, onlookers))));
    }
    if (shown.length === 0) return;
    const rights = shown.map((over) => ({ kind: 'see the node', over, isSingle: true }));
    await confirm(NO_RIGHTS, { rights });
  }

  /**
   * Refuses a unit of work of an app or a group's member that could show others a node, or more of it, by
   * another type or schema (rule 3.17g); what a proposal does was approved.
   * @throws PERMISSION_DENIED
   */
  async refuseOpening(
    changes: ReadonlyMap<string, readonly RecordedChange[]>,
    known: Judgement['known'],
  ): Promise<void> {
    for (const [ownerId, recorded] of changes) {
      const moved = movedNodes(recorded.filter((one) => !isByProposal(one))).filter(
        ({ from, to }) => from !== null && (from.nodeType !== to.nodeType || from.schemaId !== to.schemaId),
      );
      if (moved.length === 0) continue;
      const onlookers = await this.of(ownerId, known.get(ownerId));
      if (await new Slices(Infinity).run(anyOpened(moved, onlookers))) throw openingOthers();
    }
  }

  /**
   * @param policy undefined where the rules may have changed since the counter was read, perhaps by this unit
   */
  private async of(ownerId: string, policy: number | undefined): Promise<Onlooker[]> {
    const kept = this.known.get(ownerId);
    const isKept = kept !== undefined && kept.policy === policy;
    const { onlookers, bytes } = isKept ? kept : await this.load(ownerId);
    if (!isKept && policy !== undefined) this.known.set(ownerId, { policy, onlookers, bytes });
    const now = this.clock.now();
    return onlookers.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }

  /**
   * Rules may take milliseconds each to prepare: others have their turn between one and the next, and equal ones of several
   * apps count once, up to the latest end of them.
   */
  private async load(ownerId: string): Promise<Omit<CachedOnlookers, 'policy'>> {
    let loading: Promise<TagVocabulary> | null = null;
    // A graph without onlookers needs none.
    const known = (): Promise<TagVocabulary> => (loading ??= this.vocabularies.load(ownerId));
    const onlookers = new Map<string, Onlooker>();
    let bytes = LEAST_BYTES;
    // Lists of a rule are sets in the decision and take about three times their text.
    const weigh = (row: object): void => void (bytes += 3 * JSON.stringify(row).length);
    for await (const app of each(this.queries.apps(ownerId))) {
      const name = JSON.stringify([app.profileId, app.approved]);
      const same = onlookers.get(name);
      if (same === undefined) weigh(app);
      const shown = same ?? this.ofApp({ ownerId, vocabulary: await known() }, app);
      onlookers.set(name, { ...shown, expiresAt: latest(app.expiresAt, same?.expiresAt) });
    }
    for await (const profile of each(this.queries.groupProfiles(ownerId))) {
      weigh(profile);
      const graph = { ownerId, vocabulary: await known() };
      const terms = { appId: ownerId, profile, ceiling: NO_CEILING };
      onlookers.set(`group ${profile.id}`, { ...this.through(graph, terms), expiresAt: null });
    }
    for await (const chain of each(this.shares.givenByTags(ownerId))) {
      weigh(chain);
      const vocabulary = await known();
      const isLivingTag = (id: string): boolean => vocabulary.isLiving(id);
      addOnlookersOfShares(onlookers, [chain], { isLivingTag, now: this.clock.now() });
    }
    return { onlookers: [...onlookers.values()], bytes };
  }

  private ofApp(
    graph: Parameters<Onlookers['through']>[0],
    { appId, approved, ...profile }: OnlookingApp,
  ): Pick<Onlooker, 'read' | 'exposure'> {
    return this.through(graph, { appId, profile, ceiling: ceilingOf(approved) });
  }

  private through(
    { ownerId, vocabulary }: { ownerId: string; vocabulary: TagVocabulary },
    terms: Omit<Parameters<typeof appAccess>[1], 'pseudonymKey'>,
  ): Pick<Onlooker, 'read' | 'exposure'> {
    const pseudonymKey = this.accesses.pseudonymKey(terms.appId, ownerId);
    const circumstances = { ownerId, vocabulary, key: '', changes: 0, policy: 0 };
    const { nodes, exposure } = appAccess(circumstances, { ...terms, pseudonymKey });
    return { read: nodes.read, exposure };
  }
}

/** The rows of all pages, one after the other, with rests between them. */
async function* each<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages)
    for (const row of page) {
      await rest();
      yield row;
    }
}

const openingOthers = (): DomainError =>
  new DomainError(
    'PERMISSION_DENIED',
    'Another `node_type` or `schema_id` would show this node, or more of it, to others; its owner can change it, or approve it as a proposal',
  );
