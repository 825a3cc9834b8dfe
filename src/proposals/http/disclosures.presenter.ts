import { visibly } from '../../kernel/unseen-characters.js';
import { type Disclosure, type DisclosuresOf } from '../application/proposal-disclosures.service.js';
import { type DisclosureDto, type ProposalDiffDto } from './proposal-review.dto.js';

/** Disclosures for the user alone: no app may learn what other apps see. */
export function presentDisclosures({
  apps,
  isComplete,
}: DisclosuresOf): Required<Pick<ProposalDiffDto, 'disclosures' | 'disclosures_complete'>> {
  return { disclosures: apps.map(presented), disclosures_complete: isComplete };
}

function presented(disclosure: Disclosure): DisclosureDto {
  const { app, isProposing, nodes, relationships, relationshipTexts } = disclosure;
  return {
    app,
    is_proposing: isProposing,
    nodes: nodes.map(({ id, title, newly_readable, fields }) => ({ id, title, newly_readable, fields })),
    relationships,
    relationship_texts: relationshipTexts,
    summary: summaryOf(visibly(app.name), disclosure),
  };
}

function summaryOf(name: string, { nodes, relationships, relationshipTexts }: Disclosure): string {
  const readable = nodes.filter((node) => node.newly_readable).length;
  const more = nodes.filter((node) => !node.newly_readable);
  const fields = [...new Set(more.flatMap((node) => node.fields))];
  const parts = [
    ...(readable > 0 ? [`can read ${counted(readable, 'more node')}`] : []),
    ...(more.length > 0
      ? [`is shown ${listed(fields)} of ${counted(more.length, 'node')} that it reads`]
      : []),
    ...(relationships > 0 ? [`can read ${counted(relationships, 'more relationship')}`] : []),
    ...(relationshipTexts > 0
      ? [`is shown texts of ${counted(relationshipTexts, 'relationship')} that it reads`]
      : []),
  ];
  if (parts.length === 0) return `After this, ${name} is shown no more than now.`;
  return `After this, ${name} ${parts.join(', and ')}.`;
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** Paths may be words of the app: they are quoted, and only a few are listed. */
function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => `\`${visibly(path)}\``);
  const rest = paths.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more fields`] : [])].join(', ');
}
