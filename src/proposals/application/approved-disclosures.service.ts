import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { LastShown } from '../../kernel/last-shown.js';
import { type Access, Accesses } from '../../privacy/index.js';
import { countNamed, movesNodes, namedNodes } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type ComparedState, ComparedStateQueries } from '../infrastructure/compared-state.queries.js';
import { type Disclosure, type DisclosuresOf, ProposalDisclosures } from './proposal-disclosures.service.js';

/** The digest of an incomplete comparison: an app applies nothing by it. */
const INCOMPLETE = 'incomplete';

/** The digest of what an approval shows to apps, and the state that it was computed from; null: it shows them nothing. */
export interface ApprovedDigest {
  digest: string | null;
  state: ComparedState | null;
}

/** An approved proposal compared with what its approval said. */
export interface ComparedApproval {
  isUnchanged: boolean;
  /** The state that it was compared in; null where the approval says nothing. */
  state: ComparedState | null;
}

/**
 * Holds an approval to what the diff said (rule 8.10d): what a proposal shows to apps, as a digest that is stored when
 * the user reads the diff, compared and stored with the approval, and compared when an app applies. Never within a unit
 * of work, but for {@link isCurrent}: disclosures are long work.
 */
@Injectable()
export class ApprovedDisclosures {
  constructor(
    private readonly disclosures: ProposalDisclosures,
    private readonly held: HeldRows,
    private readonly lastShown: LastShown,
    private readonly accesses: Accesses,
    private readonly states: ComparedStateQueries,
  ) {}

  /** The disclosures of a proposal for its diff, remembered as read. */
  async read(owner: Access, proposal: Proposal): Promise<DisclosuresOf> {
    const found = await this.compared(owner, proposal);
    const state = stateOf(digestOf(proposal, found));
    await this.lastShown.remember(owner.ownerId, [{ entity: 'disclosures', id: proposal.id, state }]);
    return found;
  }

  /**
   * The digest of what a part shows to apps, as of now.
   * @param reviewed the proposal as the diff compares it
   * @param approved the same with the approved part
   * @throws VALIDATION_ERROR when the part shows something that the whole does not
   * @throws REVISION_CONFLICT when they show something else than the diff that the user last read
   */
  async digest(reviewed: Proposal, approved: Proposal): Promise<ApprovedDigest> {
    const owner = await this.ownerNow(approved);
    const part = await this.moved(owner, approved);
    const isPart = approved.approvedSteps.length < reviewed.approvedSteps.length;
    const whole = isPart ? await this.moved(owner, reviewed) : part;
    if (isPart && !isWithin(shownIn(part), shownIn(whole))) throw showsMore();
    const digest = digestOf(approved, part);
    const read = await this.lastShown.of(owner.ownerId, 'disclosures', reviewed.id);
    if (read !== null && ![digest, digestOf(reviewed, whole)].map(stateOf).includes(read))
      throw showsOther(reviewed);
    return { digest, state: comparedStateOf(owner, approved, part) };
  }

  /** Finds out if an approved proposal shows to apps what its approval said. */
  async ofApproval(proposal: Proposal): Promise<ComparedApproval> {
    const { approvedSteps, record } = proposal;
    if (!approvedSteps.some(movesNodes)) return { isUnchanged: record.disclosed === null, state: null };
    const owner = await this.ownerNow(proposal);
    const found = await this.compared(owner, proposal);
    const digest = digestOf(proposal, found);
    const isUnchanged = digest !== INCOMPLETE && digest === record.disclosed;
    return { isUnchanged, state: comparedStateOf(owner, proposal, found) };
  }

  /**
   * True if an approval that was found unchanged still is. For the end of the unit of work that applies the proposal,
   * which may have waited for its rows while others wrote.
   */
  async isCurrent({ state }: Pick<ComparedApproval, 'state'>): Promise<boolean> {
    return state === null || this.states.isCurrent(state);
  }

  /** Read again for each comparison: its counters are those before all else. */
  private ownerNow({ record }: Proposal): Promise<Access> {
    return this.accesses.ofOwner(record.owner_id);
  }

  private async moved(owner: Access, proposal: Proposal): Promise<DisclosuresOf> {
    if (!proposal.approvedSteps.some(movesNodes)) return { apps: [], policies: new Map(), isComplete: true };
    return this.compared(owner, proposal);
  }

  private compared(owner: Access, proposal: Proposal): Promise<DisclosuresOf> {
    return this.held.compare(countNamed(proposal.approvedSteps), () => this.disclosures.of(owner, proposal));
  }
}

/** The apps that are shown something. */
const shownIn = ({ apps }: DisclosuresOf): Disclosure[] =>
  apps.filter(
    ({ nodes, relationships, relationshipTexts }) => nodes.length + relationships + relationshipTexts > 0,
  );

const stateOf = (digest: string | null): string => digest ?? '';

function comparedStateOf(
  { ownerId, changes, policy }: Access,
  { approvedSteps }: Proposal,
  { policies }: DisclosuresOf,
): ComparedState | null {
  if (!approvedSteps.some(movesNodes)) return null;
  const nodeIds = [...new Set(approvedSteps.flatMap(namedNodes))];
  return { ownerId, changes, policies: new Map([...policies, [ownerId, policy]]), nodeIds };
}

/** A proposal that moves no nodes shows its own words only. */
function digestOf({ approvedSteps }: Proposal, found: DisclosuresOf): string | null {
  if (!approvedSteps.some(movesNodes)) return null;
  if (!found.isComplete) return INCOMPLETE;
  const disclosures = shownIn(found);
  if (disclosures.length === 0) return null;
  const entries = disclosures.map(({ app, nodes, relationships, edges }) => [
    app.id,
    relationships,
    [...edges].map((edge) => edge.join(' ')).sort(),
    nodes.map(({ id, newly_readable, content }) => [id, newly_readable, content]),
  ]);
  const text = JSON.stringify(entries.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  return createHash('sha256').update(text).digest('base64url');
}

/** True if each app is shown no more by the one than by the other. */
function isWithin(part: readonly Disclosure[], whole: readonly Disclosure[]): boolean {
  return part.every(({ app, nodes, edges }) => {
    const known = whole.find((other) => other.app.id === app.id);
    if (known === undefined) return false;
    const isNodeWithin = ({ id, newly_readable, fields, earlier_versions }: Disclosure['nodes'][number]) =>
      known.nodes.some(
        (node) =>
          node.id === id &&
          (node.earlier_versions || !earlier_versions) &&
          (node.newly_readable || (!newly_readable && fields.every((field) => node.fields.includes(field)))),
      );
    return [...edges.keys()].every((id) => known.edges.has(id)) && nodes.every(isNodeWithin);
  });
}

const showsMore = (): DomainError =>
  DomainError.validation(
    'approved_actions',
    'without the others would show apps something that the whole proposal does not: approve those about the same nodes, too',
  );

const showsOther = ({ record: { revision } }: Proposal): DomainError =>
  new DomainError(
    'REVISION_CONFLICT',
    'What this proposal shows to apps has changed since you read its diff: read it again',
    { revision },
  );
