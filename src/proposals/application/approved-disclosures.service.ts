import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { type Access } from '../../privacy/index.js';
import { countNamed, movesNodes } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Disclosure, ProposalDisclosures } from './proposal-disclosures.service.js';

/**
 * Holds an approval to what the diff said (rule 8.10d): what the approved part shows to apps, as a digest that is
 * stored with the approval and compared when an app applies. Never within a unit of work: disclosures are long work.
 */
@Injectable()
export class ApprovedDisclosures {
  constructor(
    private readonly disclosures: ProposalDisclosures,
    private readonly held: HeldRows,
  ) {}

  /**
   * The digest of what a part shows to apps; null where it shows them nothing.
   * @param reviewed the proposal as the diff compares it
   * @param approved the same with the approved part
   * @throws VALIDATION_ERROR when the part shows something that the whole does not
   */
  async digest(owner: Access, reviewed: Proposal, approved: Proposal): Promise<string | null> {
    const part = await this.shown(owner, approved);
    const isPart = approved.approvedSteps.length < reviewed.approvedSteps.length;
    if (part.length > 0 && isPart && !isWithin(part, await this.shown(owner, reviewed))) throw showsMore();
    return digestOf(part);
  }

  /** True if an approved proposal shows to apps what its approval said. @param owner the access of its user */
  async isUnchanged(owner: Access, proposal: Proposal): Promise<boolean> {
    return digestOf(await this.shown(owner, proposal)) === proposal.record.disclosed;
  }

  private async shown(owner: Access, proposal: Proposal): Promise<Disclosure[]> {
    const { approvedSteps } = proposal;
    if (!approvedSteps.some(movesNodes)) return [];
    const { apps } = await this.held.run(countNamed(approvedSteps), () =>
      this.disclosures.of(owner, proposal),
    );
    return apps.filter(
      ({ nodes, relationships, relationshipTexts }) => nodes.length + relationships + relationshipTexts > 0,
    );
  }
}

function digestOf(disclosures: readonly Disclosure[]): string | null {
  if (disclosures.length === 0) return null;
  const entries = disclosures.map(({ app, nodes, relationships, relationshipTexts }) => [
    app.id,
    relationships,
    relationshipTexts,
    // A new node holds the words of the proposal, shown by an id that it does not have yet.
    nodes.map(({ id, newly_readable, content }) => [id, newly_readable, id === null ? null : content]),
  ]);
  const text = JSON.stringify(entries.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
  return createHash('sha256').update(text).digest('base64url');
}

/** True if each app is shown no more by the one than by the other. */
function isWithin(part: readonly Disclosure[], whole: readonly Disclosure[]): boolean {
  return part.every(({ app, nodes, relationships, relationshipTexts }) => {
    const known = whole.find((other) => other.app.id === app.id);
    if (known === undefined) return false;
    const isNodeWithin = ({ id, newly_readable, fields }: Disclosure['nodes'][number]) =>
      known.nodes.some(
        (node) =>
          node.id === id &&
          (node.newly_readable || (!newly_readable && fields.every((field) => node.fields.includes(field)))),
      );
    const areEdgesWithin =
      relationships <= known.relationships && relationshipTexts <= known.relationshipTexts;
    return areEdgesWithin && nodes.every(isNodeWithin);
  });
}

const showsMore = (): DomainError =>
  DomainError.validation(
    'approved_actions',
    'without the others would show apps something that the whole proposal does not: approve those about the same nodes, too',
  );
