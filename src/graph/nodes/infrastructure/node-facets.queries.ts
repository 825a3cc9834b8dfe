import { Injectable } from '@nestjs/common';
import { CallerPlaces } from '../../../kernel/caller-places.js';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { rest, workerNow } from '../../../kernel/slices.js';
import { type Access, FREEFORM, NO_INCOMING_SHARES, SharedAccesses } from '../../../privacy/index.js';
import { discovers } from '../../common/index.js';
import {
  FACT_COLUMNS,
  FIRST_PIECE,
  graphPiece,
  type GraphPiece,
  inMaskedPlace,
  type ListPosition,
  MergedLists,
  nodesAt,
  passing,
  readableNodes,
  receivedIn,
  rowsAt,
  sharesOfOwners,
  SnapshotCache,
  STORED_TIME,
} from '../../lists/index.js';
import { NodeTagNames, SharedTags } from '../../tags/index.js';
import {
  type Facet,
  FacetCounts,
  facetOf,
  type FacetPart,
  type TagCount,
  type ValueCount,
} from '../domain/facet-counts.js';
import { type AccessibleGraphs, type AccessibleListing } from './accessible-nodes.js';
import { MaskedNodeSearch, type ShownSource } from './masked-node-search.js';
import { byExposure, columnsFor, type Sight, Sights, tagsFor } from './facet-rows.js';
import { mergedNodes } from './merged-nodes.js';
import { isJudgedAsShown, shownSources } from './shown-sources.js';

type FacetsQuestion = Pick<AccessibleListing, 'access' | 'filter' | 'receivedFilter'>;

interface TagValue extends ValueCount {
  id: string;
}

/** The place of a node that is found by what its caller is shown, and the access that shows it. */
interface ShownPlace extends Pick<ListPosition, 'ownerId' | 'id'> {
  access: Access;
}

/** The facets of the nodes that a caller is shown, schemas without their names. */
interface NodeFacetCounts {
  /** The number of all nodes. */
  nodes: number;
  tags: Facet<TagValue>;
  /** True if sharers have tags beyond those that count (rule 4.15c). */
  areTagsCut: boolean;
  nodeTypes: Facet;
  meaningLevels: Facet;
  schemas: Facet;
  months: Facet;
}

/** The graphs of a question, and what counts of their tags. */
interface CountedGraphs extends AccessibleGraphs {
  sights: Sights;
}

interface CountedFacets extends NodeFacetCounts {
  /** The sum of the owners' change counters from before it was counted. */
  changes: number;
}

/** The number of received nodes, or nodes found by shown values, of one statement. */
const PLACES = 1_000;

/** The memory of all cached answers, and what a value takes beside its text. */
const KEPT_BYTES = 16 * 1024 * 1024;
const BYTES_OF_A_VALUE = 150;

const AT_ONCE = 3;
const PATIENCE_MS = 10_000;
const counting = new CallerPlaces(AT_ONCE, PATIENCE_MS, (max_facets) => {
  const message = 'Too many of your facets are being counted; try again when one has ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'caller', max_facets });
});

/**
 * Counts the nodes of a list by what the list would show of them (rule 4.21). A graph is counted piece by piece, so that
 * others are served in between whatever its size; the answer is cached until one of the graphs changes.
 */
@Injectable()
export class NodeFacets {
  private readonly answers = new SnapshotCache<CountedFacets>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ tags, nodeTypes, meaningLevels, schemas, months }) => {
      const values = [tags, nodeTypes, meaningLevels, schemas, months].flatMap(
        (one): ValueCount[] => one.values,
      );
      const texts = values.reduce((sum, { value }) => sum + 2 * value.length, 0);
      return texts + (10 + values.length) * BYTES_OF_A_VALUE;
    },
  });

  constructor(
    private readonly database: Database,
    private readonly received: SharedAccesses,
    private readonly lists: MergedLists,
    private readonly asShown: MaskedNodeSearch,
    private readonly tagNames: NodeTagNames,
    private readonly sharedTags: SharedTags,
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when other questions of the caller are not answered in time */
  async of(own: Access, question: FacetsQuestion): Promise<NodeFacetCounts> {
    const asksReceived = question.access !== 'owned' && !question.receivedFilter.matchesNothing;
    const received = asksReceived ? await this.received.of(own) : NO_INCOMING_SHARES;
    const changes = own.changes + received.changes;
    const asked = `${own.ownerId} ${own.key} ${received.key} ${JSON.stringify(question)}`;
    return this.answers.of(asked, changes, () =>
      counting.run(workerNow(), async () => ({
        ...(await this.counted({ own, received }, question)),
        changes,
      })),
    );
  }

  private async counted(graphs: AccessibleGraphs, question: FacetsQuestion): Promise<NodeFacetCounts> {
    const { own } = graphs;
    const counts = new FacetCounts();
    const shared = await this.sharedTags.of(
      own.exposure.shows('tags') ? graphs.received : NO_INCOMING_SHARES,
    );
    const reach: CountedGraphs = { ...graphs, sights: new Sights(own, shared) };
    if (isJudgedAsShown(this.asShown, reach, question))
      await inMaskedPlace(() => this.countShown(counts, reach, question));
    else {
      if (question.access !== 'shared')
        await this.countGraph(counts, reach.sights.of([own]), {
          ownerId: own.ownerId,
          condition: readableNodes(own, question.filter),
        });
      await this.countReceived(counts, reach, question);
    }
    const [nodeTypes, meaningLevels, schemas, months] = await Promise.all([
      counts.facet('node_type'),
      counts.facet('meaning_level'),
      counts.facet('schema_id'),
      counts.facet('month'),
    ]);
    const tags = await facetOf(await this.named(counts, reach));
    return {
      nodes: counts.nodes,
      tags,
      areTagsCut: shared.beyond.size > 0,
      nodeTypes,
      meaningLevels,
      schemas,
      months,
    };
  }

  /** Counts the nodes of one owner that meet a condition over `nodes AS n`, in pieces of all of the owner's nodes. */
  private async countGraph(
    counts: FacetCounts,
    sight: Sight,
    { ownerId, condition }: { ownerId: string; condition: Sql },
  ): Promise<void> {
    let after: string | null = FIRST_PIECE;
    while (after !== null) {
      const { nodes, end }: GraphPiece = graphPiece(ownerId, after);
      const rows = sql`SELECT ${columnsFor(sight)} FROM ${nodes} WHERE ${condition}`;
      after = await this.count(counts, sight, { rows, end });
    }
  }

  private async countReceived(
    counts: FacetCounts,
    { own, received, sights }: CountedGraphs,
    question: FacetsQuestion,
  ): Promise<void> {
    const { receivedFilter } = question;
    const order = { sort: 'updated_at', order: 'desc' } as const;
    const list = mergedNodes(
      { own, received },
      { ...question, ...order },
      { total: 0, updatedAt: STORED_TIME },
    );
    const { places, many } = await this.lists.places(list);
    for (let from = 0; from < places.length; from += PLACES) {
      const some = places.slice(from, from + PLACES);
      const shares = sharesOfOwners(
        received,
        some.map(({ ownerId }) => ownerId),
      );
      for (const [exposure, accesses] of byExposure(shares.accesses)) {
        const columns = (): Sql => columnsFor({ exposure });
        const rows = nodesAt({ ...shares, accesses }, receivedFilter, { places: some, columns });
        await this.count(counts, sights.of(accesses), { rows: sql.join(rows, ' UNION ALL ') });
      }
    }
    for (const ownerId of many) {
      const shares = sharesOfOwners(received, [ownerId]);
      if (shares.accesses.length === 0) continue;
      const sight = sights.of(shares.accesses);
      const isReceived = receivedIn(shares, sql.raw('n.owner_id'), FACT_COLUMNS);
      const condition = sql`${isReceived} AND ${passing(receivedFilter, sight.exposure.detail, isReceived)}`;
      await this.countGraph(counts, sight, { ownerId, condition });
    }
  }

  /** Counts nodes that are found by shown values, a number of them at a time. */
  private async countShown(
    counts: FacetCounts,
    reach: CountedGraphs,
    question: FacetsQuestion,
  ): Promise<void> {
    for (const source of shownSources(reach, question)) {
      // Complete records would take a gigabyte for a thousand nodes.
      let found: ShownPlace[] = [];
      for await (const record of this.asShown.matching([source], question.filter)) {
        const access = source.accessTo(record);
        found.push({ ownerId: record.owner_id, id: record.id, access });
        if (found.length < PLACES) continue;
        await this.countAt(counts, { source, sights: reach.sights }, found);
        found = [];
      }
      await this.countAt(counts, { source, sights: reach.sights }, found);
    }
  }

  private async countAt(
    counts: FacetCounts,
    { source, sights }: { source: ShownSource; sights: Sights },
    found: readonly ShownPlace[],
  ): Promise<void> {
    const accesses = new Map(found.map(({ ownerId, access }) => [ownerId, access]));
    for (const [, those] of byExposure([...accesses.values()])) {
      const sight = sights.of(those);
      const owners = new Set(those.map(({ ownerId }) => ownerId));
      const places = found.filter(({ ownerId }) => owners.has(ownerId));
      const rows = sql`SELECT ${columnsFor(sight)} FROM ${rowsAt(places, 'nodes', 'n')} WHERE ${source.condition}`;
      await this.count(counts, sight, { rows });
    }
  }

  /** Adds the counts of these rows, and returns the id at which they end. */
  private async count(
    counts: FacetCounts,
    sight: Sight,
    { rows, end }: { rows: Sql; end?: Sql },
  ): Promise<string | null> {
    const ends =
      end === undefined ? sql.empty : sql`UNION ALL SELECT 'end', id::text, NULL, 1 FROM (${end}) AS ending`;
    const found = await this.database.read<Omit<FacetPart, 'facet'> & { facet: FacetPart['facet'] | 'end' }>(
      sql`WITH piece AS MATERIALIZED (${rows})
        SELECT 'node_type' AS facet, node_type AS key, NULL::uuid AS "ownerId", count(*) AS count FROM piece GROUP BY node_type
        UNION ALL SELECT 'meaning_level', meaning_level, NULL, count(*) FROM piece GROUP BY meaning_level
        UNION ALL SELECT 'schema_id', coalesce(schema_id::text, ${FREEFORM}), NULL, count(*) FROM piece GROUP BY schema_id
        UNION ALL SELECT 'month', to_char(month, 'YYYY-MM'), NULL, count(*) FROM piece GROUP BY month
        UNION ALL SELECT 'owner_id', owner_id::text, NULL, count(*) FROM piece GROUP BY owner_id
        ${tagsFor(sight)} ${ends}`,
      'node-facets',
    );
    await rest();
    let last: string | null = null;
    for (const { facet, ...part } of found) {
      if (facet === 'end') last = part.key;
      else counts.add({ facet, ...part });
    }
    return last;
  }

  /** The living tags that the caller may know, by name. */
  private async named(counts: FacetCounts, { own, received }: AccessibleGraphs): Promise<TagValue[]> {
    const others: TagCount[] = [];
    const named: TagValue[] = [];
    for (const tag of counts.tagCounts) {
      const { ownerId, id, count } = tag;
      if (ownerId !== own.ownerId) {
        if (received.accessTo(ownerId) !== undefined) others.push(tag);
      } else if (discovers(own, id)) named.push({ id, value: own.vocabulary.nameOf(id) as string, count });
      const pause = rest();
      if (pause !== undefined) await pause;
    }
    for await (const { tag, name } of this.tagNames.living(others))
      named.push({ id: tag.id, value: name, count: tag.count });
    return named;
  }
}
