import { ByteBudget } from '../../kernel/database/page-bytes.js';
import { visibly } from '../../kernel/text/unseen-characters.js';
import { type Disclosure, type DisclosuresOf } from '../application/proposal-disclosures.service.js';
import { type DisclosureDto, type ProposalDiffDto } from './proposal-review.dto.js';

/** Disclosures for the user alone: no app may learn what other apps see. */
export function presentDisclosures({
  apps,
  isComplete,
}: DisclosuresOf): Required<Pick<ProposalDiffDto, 'disclosures' | 'disclosures_complete'>> {
  const room = new ByteBudget();
  return { disclosures: apps.map((one) => presented(one, room)), disclosures_complete: isComplete };
}

function presented(disclosure: Disclosure, room: ByteBudget): DisclosureDto {
  const { app, isProposing, nodes, relationships, relationshipTexts } = disclosure;
  return {
    app,
    is_proposing: isProposing,
    nodes: nodes.map(({ content: _digest, fields, ...node }) => ({
      ...node,
      fields: withinRoom(fields, room),
    })),
    relationships,
    relationship_texts: relationshipTexts,
    summary: summaryOf(visibly(app.name), disclosure),
  };
}

/** Paths, as long as there is room in the answer for more of them; then the fields that they lead into. */
function withinRoom(paths: readonly string[], room: ByteBudget): string[] {
  const named = room.isUsedUp ? fieldsOf(paths) : [...paths];
  room.take(named);
  return named;
}

const fieldsOf = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => path.split('.')[0] as string)),
];

function summaryOf(name: string, { nodes, relationships, relationshipTexts }: Disclosure): string {
  const readable = nodes.filter((node) => node.newly_readable).length;
  const more = nodes.filter((node) => !node.newly_readable && node.fields.length > 0);
  const past = nodes.filter((node) => node.earlier_versions).length;
  const fields = [...new Set(more.flatMap((node) => node.fields))];
  const parts = [
    ...(readable > 0 ? [`can read ${counted(readable, 'more node')}`] : []),
    ...(more.length > 0
      ? [`is shown ${listed(fields)} of ${counted(more.length, 'node')} that it reads`]
      : []),
    ...(past > 0 ? [`can read more of the earlier versions of ${counted(past, 'node')}`] : []),
    ...(relationships > 0 ? [`can read ${counted(relationships, 'more relationship')}`] : []),
    ...(relationshipTexts > 0
      ? [`is shown texts of ${counted(relationshipTexts, 'relationship')} that it reads`]
      : []),
  ];
  if (parts.length === 0) return `After this, ${name} is shown no more than now.`;
  return `After this, ${name} ${parts.join(', and ')}.`;
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** Paths may be words of the app: they are quoted, and of many only the fields are named, all of them. */
function listed(paths: readonly string[]): string {
  const named = paths.length > 5 ? fieldsOf(paths) : paths;
  return named.map((path) => `\`${visibly(path)}\``).join(', ');
}
