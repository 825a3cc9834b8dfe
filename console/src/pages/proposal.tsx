import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { textVisibly } from '../../../src/kernel/text/unseen-characters.js';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Loading, Page } from '../parts/basics.jsx';
import { Seen } from '../parts/seen.jsx';
import { type Proposal as Suggestion, type Reviewed, reviewed } from '../proposals.js';
import { agoOf } from '../words.js';
import { Answer } from './proposal-answer.jsx';
import { Changes } from './proposal-changes.jsx';
import { WhoSeesMore } from './proposal-disclosures.jsx';
import { Outcome } from './proposal-outcome.jsx';
import { Warnings } from './proposal-warnings.jsx';
import { Suggester } from './proposals.jsx';

const back = () => ({ href: linkTo('proposals'), text: 'Suggestions' });

export function Proposal({ id }: { id: string }): JSX.Element {
  const { value, error, reload } = useLoaded(() => reviewed(id), [id]);
  if (value === null)
    return (
      <Page title="Suggestion" back={back()}>
        <Loading error={error} reload={reload} />
      </Page>
    );
  return <Shown {...value} reload={reload} />;
}

/** The heading says how it ended, and receives the focus when it has. */
const BEFORE: Partial<Record<Suggestion['status'], string>> = {
  APPLIED: 'Done: ',
  REJECTED: 'Rejected: ',
  FAILED: 'Not possible: ',
};

const CHANGED =
  'This has changed since you opened it, so nothing was applied. Above is what it says now: look again before you decide.';

function Shown({ proposal, client, diff, reload }: Reviewed & { reload: () => void }): JSX.Element {
  const [notice, setNotice] = useState<string | null>(null);
  const decided = (hasChanged: boolean): void => {
    setNotice(hasChanged ? CHANGED : null);
    reload();
  };
  return (
    <Page title={`${BEFORE[proposal.status] ?? ''}${textVisibly(proposal.title)}`} back={back()}>
      <p class="lead">
        <Suggester proposal={proposal} client={client} />,{' '}
        <time datetime={proposal.created_at}>{agoOf(proposal.created_at)}</time>
      </p>
      {proposal.description && (
        <p class="said">
          It says why: “<Seen text={proposal.description} />”
        </p>
      )}
      <Outcome proposal={proposal} />
      {diff !== null && (
        <>
          <Warnings diff={diff} />
          <Changes proposalId={proposal.id} diff={diff} />
          <WhoSeesMore diff={diff} />
          <Answer proposal={proposal} revision={diff.revision} notice={notice} decided={decided} />
        </>
      )}
    </Page>
  );
}
