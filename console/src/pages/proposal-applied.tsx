import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../address.js';
import { wordsOf } from '../changes.js';
import { useLoaded, useWork } from '../hooks.js';
import { Loading, Problem } from '../parts/basics.jsx';
import { Confirm } from '../parts/dialog.jsx';
import { withProof } from '../parts/proof.jsx';
import { Quoted } from '../parts/seen.jsx';
import { notesOf, type NotUndone, type Proposal, revert, titlesOf } from '../proposals.js';
import { listOf } from '../words.js';

/** The notes of an applied suggestion, and the way back. */
export function Applied({ proposal, reload }: { proposal: Proposal; reload: () => void }): JSX.Element {
  return (
    <>
      <Notes proposal={proposal} />
      <Undo proposal={proposal} reload={reload} />
    </>
  );
}

const noteLink = (id: string): string => linkTo(`notes/${id}`);

function Notes({ proposal }: { proposal: Proposal }): JSX.Element | null {
  const { created, changed } = notesOf(proposal);
  const ids = [...created, ...changed];
  const { value, error, reload } = useLoaded(() => titlesOf(ids), [ids.join(), proposal.reverted_at]);
  if (value === null) return ids.length === 0 ? null : <Loading error={error} reload={reload} />;
  if (value.length === 0) return null;
  return (
    <section class="card">
      <h2>Open the notes</h2>
      <ul class="lines">
        {value.map(({ id, title = null }) => (
          <li key={id}>
            <a href={noteLink(id)}>
              <Quoted name={title} instead="A note without a title" />
            </a>{' '}
            {created.includes(id) && <span class="badge">new</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Undo({ proposal: { id, reverted_at }, reload }: Parameters<typeof Applied>[0]): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [left, setLeft] = useState<NotUndone[]>([]);
  const { error, run } = useWork();
  const undo = (): void =>
    void run(async () => {
      setAsking(false);
      setLeft(await withProof(() => revert(id)));
      reload();
    });
  return (
    <>
      <Left things={left} />
      {reverted_at === null && (
        <button type="button" class="button" onClick={() => setAsking(true)}>
          Undo this
        </button>
      )}
      <Problem text={error} />
      {isAsking && (
        <Confirm title="Undo this suggestion?" verb="Undo it" close={() => setAsking(false)} confirm={undo}>
          <p>
            New notes are deleted, and the others become what they were before. Whatever was written there
            since then stays.
          </p>
        </Confirm>
      )}
    </>
  );
}

const NAMES: Record<NotUndone['entity'], string> = {
  node: 'A note',
  relationship: 'A connection',
  tag: 'A tag',
};

/** The parts that could not be undone. */
function Left({ things }: { things: readonly NotUndone[] }): JSX.Element | null {
  if (things.length === 0) return null;
  return (
    <section class="note" role="status">
      <p>These parts stay as they are:</p>
      <ul class="plain">
        {things.map(({ entity, id, reason, fields = [] }) => (
          <li key={id}>
            {entity === 'node' ? <a href={noteLink(id)}>{NAMES.node}</a> : NAMES[entity]}
            {fields.length > 0 && ` (${listOf(fields.map(wordsOf))})`}: {reason.replace(/^It /, 'it ')}.
          </li>
        ))}
      </ul>
    </section>
  );
}
