import { type JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { textVisibly } from '../../../src/kernel/text/unseen-characters.js';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Loading, Page } from '../parts/basics.jsx';
import { Seen } from '../parts/seen.jsx';
import { type Diff, type Proposal as Suggestion, type Reviewed, reviewed } from '../proposals.js';
import { Answer } from './proposal-answer.jsx';
import { Applied } from './proposal-applied.jsx';
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
const headingOf = ({ status, title, reverted_at }: Suggestion): string =>
  `${reverted_at === null ? (BEFORE[status] ?? '') : 'Undone: '}${textVisibly(title)}`;

const CHANGED =
  'This has changed since you opened it, so nothing was applied. Above is what it says now: look again before you decide.';

function Shown({ proposal, app, diff, reload }: Reviewed & { reload: () => void }): JSX.Element {
  const [notice, setNotice] = useState<string | null>(null);
  const past = usePast(proposal, diff);
  const decided = (hasChanged: boolean): void => {
    setNotice(hasChanged ? CHANGED : null);
    reload();
  };
  return (
    <Page title={headingOf(proposal)} back={back()}>
      <p class="lead">
        <Suggester proposal={proposal} app={app} />
      </p>
      {app?.isConnected === false && (
        <p class="note">
          This app is no longer connected to your graph and sees nothing of it. You can still decide.
        </p>
      )}
      {proposal.description && (
        <p class="said">
          It says why: “<Seen text={proposal.description} />”
        </p>
      )}
      <Outcome proposal={proposal} />
      {proposal.status === 'APPLIED' && <Applied key={proposal.id} proposal={proposal} reload={reload} />}
      {past !== null && <Changes proposalId={proposal.id} diff={past} isPast />}
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

/** The changes that this page has shown before the decision: the service compares a decided suggestion with nothing. */
function usePast({ id, revision }: Suggestion, diff: Diff | null): Diff | null {
  const last = useRef<Diff | null>(null);
  if (diff !== null) last.current = diff;
  const { current } = last;
  return diff === null && current?.proposal_id === id && current.revision === revision ? current : null;
}
