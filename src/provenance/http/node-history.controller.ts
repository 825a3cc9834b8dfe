import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Node, nodeNotFound, slicesOfShowing } from '../../graph/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import {
  pageWithinBytes,
  type RowsOfList,
  shownInTurn,
} from '../../kernel/http/answers/page-within-bytes.js';
import { type Room } from '../../kernel/database/page-bytes.js';
import { isId } from '../../kernel/ids.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { type HistoryListing, HistoryQueries, type VersionRow } from '../infrastructure/history.queries.js';
import {
  AtTimeQuery,
  HistoryDto,
  type HistoryEntryDto,
  HistoryQuery,
  SnapshotFieldsQuery,
  TimelineDto,
  type TimelineEntryDto,
  TimelineQuery,
  VersionAtTimeDto,
  VersionDto,
} from './history.dto.js';
import { HistoryPresenter } from './history.presenter.js';

const READABLE =
  'A version is listed if the caller can read the node now, and that version as it was then. The owner can read the history of a deleted node.';

const node: Requirement = { callers: 'any', resource: { kind: 'node', param: 'node_id', verb: 'history' } };

/** Versions of nodes, and the changes that made them (rules 7.1, 7.2). */
@ApiTags('History')
@Controller('nodes')
export class NodeHistoryController {
  constructor(
    private readonly queries: HistoryQueries,
    private readonly presenter: HistoryPresenter,
  ) {}

  @Get('history')
  @Endpoint({
    summary: 'List changes of all nodes',
    holdsNoSecret: true,
    description: `Newest first. ${READABLE}`,
    requires: { callers: 'any' },
    answers: TimelineDto,
  })
  async timeline(@CurrentAccess() access: Access, @Query() query: TimelineQuery): Promise<TimelineDto> {
    const { node_id, limit } = query;
    if (node_id !== undefined && !isId(node_id)) return { history: [], total: 0, limit };
    const slices = slicesOfShowing();
    const page = await pageWithinBytes<VersionRow, TimelineEntryDto>({
      limit,
      offset: 0,
      read: this.reading(access, { filter: { named: node_id?.toLowerCase() }, withSnapshots: false }),
      show: (rows) => shownInTurn(rows, (row) => this.presenter.timelineEntry(access, row, slices)),
      // Other parameters may be hidden tags, or depend on an earlier version.
      isWhole: () => access.isOwner,
      slices,
    });
    return { history: page.items, total: page.total, limit: page.limit };
  }

  @Get(':node_id/history')
  @Endpoint({
    summary: 'List versions of a node',
    holdsNoSecret: true,
    lean: { 'history.snapshot': 'fields' },
    description: `Newest first. ${READABLE}`,
    requires: node,
    answers: HistoryDto,
  })
  async history(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() query: HistoryQuery,
  ): Promise<HistoryDto> {
    const { limit, offset, include_snapshots, start_date, end_date } = query;
    const filter = { located: located.id, from: start_date, to: end_date };
    const slices = slicesOfShowing();
    const { items: history, ...page } = await pageWithinBytes<VersionRow, HistoryEntryDto>({
      limit,
      offset,
      read: this.reading(access, { filter, withSnapshots: include_snapshots }),
      show: (rows) => this.presenter.entries(access, rows, slices),
      // Other parameters may be hidden tags, or depend on an earlier version.
      isWhole: () => access.isOwner,
      slices,
    });
    return { node_id: located.id, history, ...page };
  }

  private reading(access: Access, listing: Omit<HistoryListing, keyof Room>) {
    return (room: Room): Promise<RowsOfList<VersionRow>> =>
      this.queries.list(access, { ...listing, ...room });
  }

  // Declared before :version, which would parse the word as a number.
  @Get(':node_id/history/at-time')
  @Endpoint({
    summary: 'Get a node at a point in time',
    holdsNoSecret: true,
    lean: { snapshot: 'fields' },
    description: `The version of that time. 404 before the node was created and while it was deleted. ${READABLE}`,
    requires: node,
    answers: VersionAtTimeDto,
  })
  async atTime(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() { timestamp }: AtTimeQuery,
  ): Promise<VersionAtTimeDto> {
    const row = await this.queries.at(access, located.id, timestamp);
    if (row === null) throw nodeNotFound();
    return { ...(await this.presenter.version(access, row)), timestamp: timestamp.toISOString() };
  }

  @Get(':node_id/history/:version')
  @Endpoint({
    summary: 'Get a version of a node',
    holdsNoSecret: true,
    lean: { snapshot: 'fields' },
    description: `Includes the node as it was then. ${READABLE}`,
    requires: node,
    answers: VersionDto,
    errors: ['NOT_FOUND'],
  })
  async version(
    @CurrentAccess() access: Access,
    @Located('node') located: Node,
    @Query() _selection: SnapshotFieldsQuery,
    @Param('version') version: string,
  ): Promise<VersionDto> {
    return this.presenter.version(access, found(await this.find(access, located, version)));
  }

  private find(access: Access, located: Node, version: string): Promise<VersionRow | null> {
    if (!/^[1-9]\d{0,8}$/.test(version)) return Promise.resolve(null);
    return this.queries.version(access, located.id, Number(version));
  }
}

function found(row: VersionRow | null): VersionRow {
  if (row === null) throw new DomainError('NOT_FOUND', 'Version not found');
  return row;
}
