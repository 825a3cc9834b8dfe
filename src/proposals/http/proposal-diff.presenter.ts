import { Injectable } from '@nestjs/common';
import {
  lookAlikesIn,
  MOST_MOVED_EDGES,
  NodePresenter,
  OwnerEdits,
  slicesOfShowing,
} from '../../graph/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { asLargePage } from '../../kernel/http/answers/page-within-bytes.js';
import { type Access } from '../../privacy/index.js';
import { ApprovedDisclosures } from '../application/approved-disclosures.service.js';
import { BaseConflicts } from '../application/base-conflicts.js';
import { ExpectedNodes } from '../application/expected-nodes.js';
import { type DisclosuresOf } from '../application/proposal-disclosures.service.js';
import { namedNodes, stepsInParts } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { ActionDiffs } from './action-diffs.presenter.js';
import { type Look, readableOf } from './diff-entries.js';
import { DiffNames } from './diff-names.presenter.js';
import { presentDisclosures } from './disclosures.presenter.js';
import { EarlierActions, withEarlier } from './earlier-actions.js';
import { GrowingDiff } from './growing-diff.js';
import { MOST_SOUGHT_TITLES, SimilarWarnings } from './similar-warnings.js';
import { type DiffEntryDto, type ProposalDiffDto, type ProposalDiffQuery } from './proposal-review.dto.js';

/** The statuses with a diff: one of an applied or rejected proposal has no use. */
const OPEN: readonly string[] = ['PENDING', 'READY_FOR_APPROVAL', 'APPROVED', 'FAILED'];

/** A proposal compared with the current graph, action by action; the nodes of few actions are loaded at a time. */
@Injectable()
export class ProposalDiffPresenter {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly conflicts: BaseConflicts,
    private readonly presenter: NodePresenter,
    private readonly actions: ActionDiffs,
    private readonly names: DiffNames,
    private readonly similar: SimilarWarnings,
    private readonly disclosures: ApprovedDisclosures,
    private readonly forecasts: ExpectedNodes,
    private readonly held: HeldRows,
  ) {}

  /**
   * The diff of a proposal, or an excerpt: of one action, or about one thing.
   * @throws VALIDATION_ERROR for an action that the proposal does not have
   */
  async present(access: Access, proposal: Proposal, query: ProposalDiffQuery): Promise<ProposalDiffDto> {
    const parts = stepsInParts(comparedSteps(access, proposal, query));
    const compare = () => this.compared(access, proposal, { parts, query });
    const { entries, conflicts, warnings, tagNames } = await (parts.length > 1
      ? asLargePage(compare)
      : compare());
    const { id, status, revision } = proposal.record;
    const diff = { proposal_id: id, status, revision, entries, conflicts, warnings };
    if (!access.isOwner) return diff;
    const confusable_tags = await confusableTags(access, tagNames);
    if (isExcerpt(query)) return { ...diff, confusable_tags };
    return { ...diff, confusable_tags, ...presentDisclosures(await this.disclosed(access, proposal)) };
  }

  private async compared(
    access: Access,
    proposal: Proposal,
    { parts, query }: { parts: readonly Step[][]; query: ProposalDiffQuery },
  ): Promise<GrowingDiff> {
    const proposer = await this.conflicts.proposerOf(access, proposal);
    const slices = slicesOfShowing();
    const common = {
      access,
      proposal,
      proposer,
      slices,
      room: { edges: MOST_MOVED_EDGES, titles: MOST_SOUGHT_TITLES },
    };
    const diff = new GrowingDiff();
    const { title, description, reasoning_metadata } = proposal.record;
    if (!isExcerpt(query)) {
      diff.warnOf(title, 'title');
      diff.warnOf(description, 'description');
    }
    const earlier = new EarlierActions(access, proposal, this.forecasts);
    const entityId = query.entity_id?.toLowerCase();
    const isRequested = ({ action_id, entity_id }: DiffEntryDto) =>
      (entityId === undefined || entity_id === entityId) && (query.action_id ?? action_id) === action_id;
    for (const steps of parts) {
      const ids = steps.flatMap(namedNodes);
      await this.held.run(ids.length, async () => {
        const nodes = readableOf(access, await this.edits.look(access, ids));
        const look = { ...common, nodes, forecast: null, edges: null };
        const records = [...nodes.values()].map(({ record }) => record);
        await this.presenter.stamp(access, records, slices);
        const entries = (await this.entries(look, steps, earlier)).filter(isRequested);
        await this.names.add(look, entries);
        await this.similar.add(look, entries);
        for (const entry of entries) diff.take(entry);
      });
    }
    // Last, because it may have any number of texts.
    if (!isExcerpt(query)) diff.warnOf(reasoning_metadata, 'reasoning_metadata');
    return diff;
  }

  private async entries(
    look: Look,
    steps: readonly Step[],
    earlier: EarlierActions,
  ): Promise<DiffEntryDto[]> {
    const entries: DiffEntryDto[] = [];
    for (const step of steps) {
      const { forecast, edges } = earlier;
      for (const entry of await this.actions.entries({ ...look, forecast, edges }, step))
        entries.push({ action_id: step.id, type: step.type, title: null, ...entry, values_omitted: false });
      await earlier.take(step, look.nodes);
    }
    return entries;
  }

  private async disclosed(access: Access, { status, reviewed }: Proposal): Promise<DisclosuresOf> {
    return OPEN.includes(status) ? this.disclosures.read(access, reviewed) : NOTHING_DISCLOSED;
  }
}

/** True for a part of a diff, which is no review of its proposal. */
export const isExcerpt = ({ action_id, entity_id }: ProposalDiffQuery): boolean =>
  action_id !== undefined || entity_id !== undefined;

/** The requested actions; for the user, also those before them that change the same nodes. */
function comparedSteps(
  { isOwner }: Access,
  { steps }: Proposal,
  { action_id: id }: ProposalDiffQuery,
): readonly Step[] {
  if (id === undefined) return steps;
  const requested = steps.find((step) => step.id === id);
  if (requested === undefined)
    throw DomainError.validation('action_id', 'must be the id of an action of this proposal');
  return isOwner ? withEarlier(steps, requested) : [requested];
}

/** New tags that a reader may confuse with others. */
async function confusableTags(
  access: Access,
  names: ReadonlySet<string>,
): Promise<ProposalDiffDto['confusable_tags']> {
  const news = [...names].filter((name) => access.vocabulary.idOf(name) === null);
  if (news.length === 0) return [];
  const alike = await lookAlikesIn(access);
  return news.flatMap((name) => {
    const other = alike.of(name);
    return other === null ? [] : [{ name, confusable_with: other }];
  });
}

const NOTHING_DISCLOSED = { apps: [], policies: new Map(), isComplete: true };
