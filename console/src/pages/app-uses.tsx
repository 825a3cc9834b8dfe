import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../hooks.js';
import { type Devices } from '../oauth.js';
import { Loading } from '../parts/basics.jsx';
import { Notes } from '../parts/samples.jsx';
import { authorized } from '../session.js';
import { countOf, listOf, momentOf } from '../words.js';
import { nameOfDevice } from './app-devices.jsx';

const SHOWN = 10;

/** The list of notes that the app gets, byte for byte the service's answer to it. */
export function AsThisApp({ appId }: { appId: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>See as this app</summary>
      {isOpen && <ReadAs appId={appId} />}
    </details>
  );
}

function ReadAs({ appId }: { appId: string }): JSX.Element {
  const [offset, setOffset] = useState(0);
  const { value, error, reload } = useLoaded(async () => {
    const query = { as_app: appId, limit: SHOWN, offset, value_limit: 200 };
    const { data } = await authorized().GET('/api/v1/nodes', { params: { query } });
    return data ?? null;
  }, [appId, offset]);
  if (value === null) return <Loading error={error} reload={reload} />;
  if (value.total === 0) return <p class="quiet">It sees no notes.</p>;
  const last = Math.min(offset + SHOWN, value.total);
  return (
    <>
      <p role="status" class="quiet">
        {offset + 1} to {last} of {countOf(value.total, 'note')}, as the app sees them
      </p>
      <Notes nodes={value.nodes} />
      <div class="row">
        {offset > 0 && (
          <button type="button" class="button" onClick={() => setOffset(offset - SHOWN)}>
            Earlier
          </button>
        )}
        {last < value.total && (
          <button type="button" class="button" onClick={() => setOffset(offset + SHOWN)}>
            Later
          </button>
        )}
      </div>
    </>
  );
}

const ACTIONS = {
  read: 'Read',
  create: 'Added',
  update: 'Changed',
  delete: 'Deleted',
  refused: 'Was refused',
};

/** The newest entries of the access log, with names of notes and the device where one is known. */
export function LastReads({ appId, devices }: { appId: string; devices: Devices | null }): JSX.Element {
  const known = devices === null ? [] : [...devices.active, ...devices.ended];
  const deviceOf = (id: string | null): string => {
    const device = known.find((one) => one.id === id);
    return device === undefined ? '' : ` on ${nameOfDevice(device)}`;
  };
  const { value, error, reload } = useLoaded(async () => {
    const query = { app_id: appId, limit: SHOWN };
    return (await authorized().GET('/api/v1/access-log', { params: { query } })).data?.entries ?? [];
  }, [appId]);
  return (
    <section class="card">
      <h2>What it did last</h2>
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : value.length === 0 ? (
        <p class="quiet">Nothing in the last 90 days.</p>
      ) : (
        <ol class="lines">
          {value.map((entry) => (
            <li key={entry.id}>
              <time datetime={entry.at}>{momentOf(entry.at)}</time> {ACTIONS[entry.action]}{' '}
              {namesOf(entry.nodes, entry.node_count)}
              <span class="quiet">{deviceOf(entry.session_id)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Titles of at most three notes, and the number of the others. */
function namesOf(nodes: readonly { title: string | null }[], count: number): string {
  if (count === 0) return 'no notes';
  const named = nodes.slice(0, 3).map(({ title }) => `“${title ?? 'without a title'}”`);
  const others = count - named.length;
  if (named.length === 0) return countOf(count, 'note');
  return listOf([...named, ...(others > 0 ? [countOf(others, 'other note')] : [])]);
}
