import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { PART_BYTES } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { rest, type Slices } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';
import {
  fieldOfProperty,
  fileRecordOf,
  type NodeRecord,
  prepareShown,
  shownOf,
  slicesOfShowing,
  type WireNode,
} from '../../common/index.js';
import {
  compareText,
  FirstEntries,
  FoundPlaces,
  foldCase,
  inMaskedPlace,
  nodeColumns,
  type NodeFilter,
  nodesWithinBytes,
  passesProperties,
  readableNodes,
} from '../../lists/index.js';
import { ShownVersions } from './shown-versions.js';
import { type FoundNode, type NodeListing, type NodePage } from './node-listing.js';

type SearchedList = Pick<NodeListing, 'filter'> & Partial<NodeListing>;

const SEARCHED = ['title', 'value'] as const;

/** The nodes of a question, and the access to the owner of each. */
export interface ShownSource {
  /** A condition over `nodes AS n`, without the parts that are decided on shown values. */
  condition: Sql;
  accessTo: (record: NodeRecord) => Access;
}

type EntriesQuestion = Pick<NodeListing, 'filter' | 'sort' | 'order'> & {
  /** The number of entries that are wanted. */
  most: number;
  /** The time of the whole question. */
  slices: Slices;
};

interface Seen {
  access: Access;
  record: NodeRecord;
  shown: WireNode;
}

/** The number of rows fetched at a time: few statements, and other requests run in between. */
const BATCH = 200;

/**
 * Masked search and sort, for callers whose profile's transformations show other values than the stored
 * ones: decided on shown values, so that no answer reveals hidden ones (rule 3.16). The database does not
 * know those values; every node that passes the other filters is read and shown here. Exact, and slower:
 * only questions about transformed fields use it.
 */
@Injectable()
export class MaskedNodeSearch {
  constructor(
    private readonly database: Database,
    private readonly versions: ShownVersions,
  ) {}

  /** True if the answer to this question depends on a field that the caller is shown transformed. */
  needsMaskedEvaluation({ exposure }: Pick<Access, 'exposure'>, { filter, sort }: SearchedList): boolean {
    if (exposure.isIdentity) return false;
    const asked = [
      ...(sort === undefined ? [] : [sort]),
      ...(filter.search === undefined ? [] : SEARCHED),
      ...(filter.dataType === undefined ? [] : ['metadata.data_type']),
      ...(filter.contentType === undefined ? [] : ['metadata.mime_type']),
      ...propertiesOf(exposure, filter),
    ];
    return asked.some((field) => exposure.transforms(field));
  }

  list(access: Access, listing: NodeListing): Promise<NodePage> {
    return this.listOf([sourceOf(access, listing.filter)], listing);
  }

  count(access: Access, filter: NodeFilter): Promise<number> {
    return this.countOf([sourceOf(access, filter)], filter);
  }

  /**
   * The first part of a page. Nodes that changed after they were found, and would no longer be found, are left out: deleted,
   * hidden, reworded.
   * @throws TOO_MUCH_UNDER_WAY when other questions of the caller are not decided in time (rule 3.15e)
   */
  async listOf(sources: readonly ShownSource[], listing: NodeListing): Promise<NodePage> {
    const { filter, limit, found = new FoundPlaces() } = listing;
    if (!found.areFound) await inMaskedPlace(() => this.find(sources, listing, found));
    const { rows: records, total } = await found.next(limit, (places) => this.part(sources, filter, places));
    return { records, total };
  }

  /** @throws TOO_MUCH_UNDER_WAY like {@link listOf} */
  countOf(sources: readonly ShownSource[], filter: NodeFilter): Promise<number> {
    return inMaskedPlace(() => this.counted(sources, filter));
  }

  /**
   * The nodes that pass the filter, of several sources; in a place of the caller ({@link inMaskedPlace}) like the others.
   */
  async *matching(sources: readonly ShownSource[], filter: NodeFilter): AsyncGenerator<NodeRecord> {
    const slices = slicesOfShowing();
    for (const source of sources) {
      for await (const seen of this.shown(source, { slices })) if (matches(filter, seen)) yield seen.record;
    }
  }

  private async find(
    sources: readonly ShownSource[],
    { limit, offset, ...listing }: NodeListing,
    found: FoundPlaces<FoundNode>,
  ): Promise<void> {
    const slices = slicesOfShowing();
    let [before, last]: [number, FoundNode | null] = [0, null];
    for (;;) {
      const most = offset + limit - before;
      const { entries, total, isShort } = await this.firstBehind(last, sources, { ...listing, most, slices });
      const page = entries.slice(offset - before);
      if (page.length > 0 || !isShort || total <= offset) {
        found.keep(page, total);
        return;
      }
      // Only far into a list of long texts: the entries so far are dropped, and those behind them are found next.
      before += entries.length;
      last = entries.at(-1) as FoundNode;
    }
  }

  /** The first entries behind another one, and the number of all. */
  private async firstBehind(
    last: FoundNode | null,
    sources: readonly ShownSource[],
    { filter, sort, order, most, slices }: EntriesQuestion,
  ): Promise<{ entries: readonly FoundNode[]; total: number; isShort: boolean }> {
    const sign = order === 'asc' ? 1 : -1;
    const compare = (a: FoundNode, b: FoundNode): number =>
      sign * (compareText(a.key, b.key) || compareText(a.id, b.id));
    const first = new FirstEntries<FoundNode>({ compare, most, bytesOf: memoryOf });
    let total = 0;
    for (const source of sources) {
      for await (const seen of this.shown(source, { sort, slices })) {
        if (!matches(filter, seen)) continue;
        total++;
        const { id } = seen.record;
        const entry = { id, key: textOf(seen.shown[sort]), bytes: bytesOf(seen.record) };
        if (last === null || compare(entry, last) > 0) await first.add(entry);
      }
    }
    return { entries: await first.sorted(), total, isShort: first.isShort };
  }

  private async counted(sources: readonly ShownSource[], filter: NodeFilter): Promise<number> {
    const slices = slicesOfShowing();
    let count = 0;
    for (const source of sources) {
      for await (const seen of this.shown(source, { slices })) if (matches(filter, seen)) count++;
    }
    return count;
  }

  /** Every node of a source, and its shown form, in the order of ids. */
  readable(source: ShownSource): AsyncGenerator<Seen> {
    return this.shown(source, { slices: slicesOfShowing() });
  }

  private async *shown(
    { condition, accessTo }: ShownSource,
    { sort, slices }: { sort?: NodeListing['sort']; slices: Slices },
  ): AsyncGenerator<Seen> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      slices.refuseInVain();
      const next = sql`(SELECT * FROM nodes AS n WHERE ${condition} AND n.id > ${after} ORDER BY n.id LIMIT ${BATCH}) AS n`;
      const records = await this.database.read<NodeRecord>(
        nodesWithinBytes(next, sql`n.id`),
        'nodes-as-shown',
      );
      if (sort === 'updated_at') await this.versions.stampAll(records, accessTo, slices);
      for (const record of records) {
        const access = accessTo(record);
        await prepareShown([record], () => access, { slices });
        yield seenBy(access, record);
        await rest();
      }
      const last = records.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** The nodes of the first places that together hold at most a part of a page, in their order. */
  private async part(
    sources: readonly ShownSource[],
    filter: NodeFilter,
    places: readonly FoundNode[],
  ): Promise<{ rows: NodeRecord[]; lookedAt: number }> {
    const ids = firstWithinPart(places);
    const byId = new Map<string, NodeRecord>();
    for (const { condition, accessTo } of sources) {
      const records = await this.database.read<NodeRecord>(
        sql`SELECT ${nodeColumns('n')} FROM nodes AS n WHERE ${condition} AND n.id = ANY(${ids}::uuid[])`,
        'nodes-as-shown-page',
      );
      const slices = slicesOfShowing();
      for (const record of records) {
        const access = accessTo(record);
        // A text that was prepared for the search may have left the cache since.
        await prepareShown([record], () => access, { slices });
        const seen = seenBy(access, record);
        if (matches(filter, seen)) byId.set(record.id, record);
      }
    }
    return { rows: ids.flatMap((id) => byId.get(id) ?? []), lookedAt: ids.length };
  }
}

const bytesOf = ({ title, value, metadata, agent_metadata }: NodeRecord): number =>
  title.length + (value?.length ?? 0) + JSON.stringify([metadata, agent_metadata]).length;

/** The memory that an entry takes: its id, its object and its text. */
const memoryOf = ({ key }: FoundNode): number => 200 + 2 * key.length;

/** The ids of the first nodes that together hold at most a part of a page; of one at least. */
function firstWithinPart(places: readonly FoundNode[]): string[] {
  let room = PART_BYTES;
  const end = places.findIndex(({ bytes }, place) => (room -= bytes) < 0 && place > 0);
  return (end < 0 ? places : places.slice(0, end)).map(({ id }) => id);
}

const seenBy = (access: Access, record: NodeRecord): Seen => ({
  access,
  record,
  shown: shownOf(access, record),
});

const sourceOf = (access: Access, filter: NodeFilter): ShownSource => ({
  condition: readableNodes(access, judgedAsStored(filter)),
  accessTo: () => access,
});

/** The filter without the parts that are decided on shown values. */
export const judgedAsStored = (filter: NodeFilter): NodeFilter => ({
  ...filter,
  search: undefined,
  dataType: undefined,
  contentType: undefined,
  properties: undefined,
});

/** The paths that a filter by properties asks for; none where no metadata is shown, and none is found. */
const propertiesOf = (exposure: Access['exposure'], { properties = [] }: NodeFilter): string[] =>
  exposure.shows('metadata') ? properties.map(fieldOfProperty) : [];

const matches = (filter: NodeFilter, { access, record, shown }: Seen): boolean =>
  (filter.search === undefined ||
    SEARCHED.some((field) => contains(shown[field], filter.search as string))) &&
  (filter.properties === undefined || passesProperties(shown['metadata'], filter.properties)) &&
  matchesFile(access, filter, record);

function matchesFile(access: Access, { dataType, contentType }: NodeFilter, record: NodeRecord): boolean {
  if (dataType === undefined && contentType === undefined) return true;
  const file = fileRecordOf(access, record);
  return (
    (dataType === undefined || file.data_type === dataType) &&
    (contentType === undefined || file.content_type === contentType)
  );
}

const contains = (text: unknown, search: string): boolean =>
  typeof text === 'string' && foldCase(text).includes(foldCase(search));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
