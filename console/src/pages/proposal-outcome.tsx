import { type JSX } from 'preact';
import { refusalOf } from '../changes.js';
import { Seen } from '../parts/seen.jsx';
import { type Proposal } from '../proposals.js';
import { countOf, listOf, momentOf } from '../words.js';

/** The decision on a suggestion, and what came of it. */
export function Outcome({ proposal }: { proposal: Proposal }): JSX.Element | null {
  const { status, result, rejection_reason, reviewed_at, applied_at, reverted_at } = proposal;
  if (status === 'REJECTED')
    return (
      <section class="card" role="status">
        <p>You rejected this{reviewed_at && ` on ${momentOf(reviewed_at)}`}. Nothing of it was applied.</p>
        {rejection_reason && (
          <p class="said">
            Your reason: “<Seen text={rejection_reason} />”
          </p>
        )}
      </section>
    );
  if (result === null) return null;
  return (
    <section class="card" role="status">
      <p>
        {status === 'FAILED'
          ? 'Nothing of this could be applied.'
          : `You approved this, and it was applied${applied_at ? ` on ${momentOf(applied_at)}` : ''}.${newThings(result)}`}
        {reverted_at && ` It was undone on ${momentOf(reverted_at)}.`}
      </p>
      {result.errors.length > 0 && (
        <>
          {status === 'APPLIED' && <p>These parts could not be applied:</p>}
          <ul class="plain">
            {result.errors.map((error) => (
              <li key={error.action_id}>{refusalOf(error)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function newThings(result: NonNullable<Proposal['result']>): string {
  const counts: [number, string][] = [
    [result.nodes_created, 'note'],
    [result.relationships_created, 'connection'],
    [result.tags_created, 'tag'],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, name]) => countOf(count, name));
  return parts.length === 0 ? '' : ` New: ${listOf(parts)}.`;
}
