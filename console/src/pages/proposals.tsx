import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Loading, Page } from '../parts/basics.jsx';
import { Identity } from '../parts/client-name.jsx';
import { Seen } from '../parts/seen.jsx';
import { appsById, type KnownApp, listed, type Proposal, WAITING } from '../proposals.js';
import { agoOf, countOf } from '../words.js';

const SHOWN = 20;

export function Proposals(): JSX.Element {
  const [offset, setOffset] = useState(0);
  const { value, error, reload } = useLoaded(
    () => Promise.all([listed({ status: WAITING, limit: SHOWN, offset }), appsById()]),
    [offset],
  );
  const [{ all, total }, apps] = value ?? [{ all: [], total: 0 }, new Map<string, KnownApp>()];
  const last = offset + all.length;
  return (
    <Page title="Suggestions">
      <p class="lead">Changes that apps suggest. Nothing happens until you approve one.</p>
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : total === 0 ? (
        <div class="card empty">
          <p>
            <strong>Nothing waits for you.</strong>
          </p>
          <p class="quiet">What an app or an assistant suggests appears here.</p>
        </div>
      ) : (
        <>
          <p role="status" class="quiet">
            {total > SHOWN ? `${offset + 1} to ${last} of ` : ''}
            {countOf(total, 'suggestion')}, newest first
          </p>
          <ul>
            {all.map((one) => (
              <Item key={one.id} proposal={one} app={apps.get(one.app_id) ?? null} />
            ))}
          </ul>
          <div class="row">
            {offset > 0 && (
              <button type="button" class="button" onClick={() => setOffset(offset - SHOWN)}>
                Newer
              </button>
            )}
            {last < total && (
              <button type="button" class="button" onClick={() => setOffset(offset + SHOWN)}>
                Older
              </button>
            )}
          </div>
        </>
      )}
      <Others />
    </Page>
  );
}

function Item({ proposal: one, app }: { proposal: Proposal; app: KnownApp | null }): JSX.Element {
  return (
    <li class="card">
      <h2>
        <a href={linkTo(`proposals/${one.id}`)}>
          <Seen text={one.title} />
        </a>
      </h2>
      <p>
        <Suggester proposal={one} app={app} />
      </p>
    </li>
  );
}

/** The time and the app of a suggestion, with who vouches for the app; one that has ended has no name. */
export function Suggester({
  proposal: { app: named, created_at },
  app,
}: {
  proposal: Proposal;
  app: KnownApp | null;
}): JSX.Element {
  return (
    <>
      Suggested <time datetime={created_at}>{agoOf(created_at)}</time> by{' '}
      {named === null ? (
        'an app that is gone'
      ) : (
        <strong>
          <Seen text={named.name} />
        </strong>
      )}
      {app && (
        <>
          {' '}
          <Identity client={app.client} />
          {!app.isConnected && (
            <>
              {' '}
              <span class="badge warn">no longer connected</span>
            </>
          )}
        </>
      )}
    </>
  );
}

const STATES: Record<Proposal['status'], string> = {
  PENDING: 'the app still works on it',
  READY_FOR_APPROVAL: 'waits for you',
  APPROVED: 'approved, and not applied yet',
  REJECTED: 'rejected',
  APPLIED: 'approved and applied',
  FAILED: 'approved, but it could not be applied',
};

/** The newest of those that do not wait. */
function Others(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Earlier suggestions</summary>
      {isOpen && <OtherList />}
    </details>
  );
}

function OtherList(): JSX.Element {
  const { value, error, reload } = useLoaded(() => listed({ limit: 50, offset: 0 }), []);
  if (value === null) return <Loading error={error} reload={reload} />;
  const others = value.all.filter(({ status }) => status !== WAITING);
  if (others.length === 0) return <p class="quiet">There are none.</p>;
  return (
    <ul class="lines">
      {others.map((one) => (
        <li key={one.id}>
          <a href={linkTo(`proposals/${one.id}`)}>
            <Seen text={one.title} />
          </a>{' '}
          <span class="quiet">
            {STATES[one.status]}, {agoOf(one.updated_at)}
          </span>
        </li>
      ))}
    </ul>
  );
}
