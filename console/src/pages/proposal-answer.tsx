import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { codeOf } from '../errors.js';
import { useWork } from '../hooks.js';
import { Field, fieldOf, Problem, submitting } from '../parts/basics.jsx';
import { Dialog } from '../parts/dialog.jsx';
import { withProof } from '../parts/proof.jsx';
import { apply, approve, type Proposal, reject } from '../proposals.js';

/** Refusals of a decision on something else than what is there by now. */
const CHANGED: ReadonlySet<string | null> = new Set([
  'REVISION_CONFLICT',
  'INVALID_STATE_TRANSITION',
  'PROPOSAL_NOT_APPROVED',
]);

const HINTS: Partial<Record<Proposal['status'], string>> = {
  PENDING: 'The app still works on this. You can approve it once the app says that it is complete.',
  APPROVED: 'You have approved this elsewhere, and it is not applied yet.',
  FAILED: 'You can try again.',
};

/** The decision on what the page shows: the revision with this number. */
export function Answer({
  proposal: { id, status },
  revision,
  notice,
  decided,
}: {
  proposal: Proposal;
  revision: number;
  notice: string | null;
  decided: (hasChanged: boolean) => void;
}): JSX.Element {
  const [isRejecting, setRejecting] = useState(false);
  const { isBusy, error, run } = useWork();
  const decide = (work: () => Promise<void>): void =>
    void run(async () => {
      try {
        await withProof(work);
        decided(false);
      } catch (caught) {
        if (!CHANGED.has(codeOf(caught))) throw caught;
        decided(true);
      }
    });
  const accept = () => (status === 'APPROVED' ? apply(id) : approve(id, revision));
  return (
    <div class="answer">
      <Problem text={error ?? notice} />
      {HINTS[status] && <p class="hint">{HINTS[status]}</p>}
      <div class="pair" aria-busy={isBusy}>
        {status !== 'FAILED' && (
          <button type="button" class="button" onClick={() => setRejecting(true)}>
            Reject
          </button>
        )}
        {status !== 'PENDING' && (
          <button type="button" class="button" onClick={() => decide(accept)}>
            {status === 'APPROVED' ? 'Apply' : 'Approve'}
          </button>
        )}
      </div>
      {isRejecting && (
        <Rejection
          close={() => setRejecting(false)}
          reject={(reason) => {
            setRejecting(false);
            decide(() => reject(id, reason));
          }}
        />
      )}
    </div>
  );
}

function Rejection({ close, reject }: { close: () => void; reject: (reason: string) => void }): JSX.Element {
  return (
    <Dialog title="Reject this suggestion?" close={close}>
      <form onSubmit={submitting((form) => reject(fieldOf(form, 'reason').trim()))}>
        <Field
          label="Reason (optional)"
          name="reason"
          hint="The app reads it."
          autocomplete="off"
          maxLength={1000}
          autofocus
        />
        <div class="pair">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button">
            Reject it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
