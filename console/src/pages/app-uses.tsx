import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { type AppSession, type Devices } from '../oauth.js';
import { Loading } from '../parts/basics.jsx';
import { Notes } from '../parts/samples.jsx';
import { Quoted } from '../parts/seen.jsx';
import { authorized } from '../session.js';
import { sayUse, type Use } from '../uses.js';
import { countOf, momentOf } from '../words.js';
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

/** The newest entries of the access log, with names of notes and the device where one is known. */
export function LastReads({ appId, devices }: { appId: string; devices: Devices | null }): JSX.Element {
  const known = devices === null ? [] : [...devices.active, ...devices.ended];
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
          {value.map((use) => (
            <UseItem key={use.id} use={use} device={known.find(({ id }) => id === use.session_id)} />
          ))}
        </ol>
      )}
    </section>
  );
}

function UseItem({ use, device }: { use: Use; device: AppSession | undefined }): JSX.Element {
  const { words, hasNotes, more } = sayUse(use);
  return (
    <li>
      <time datetime={use.at}>{momentOf(use.at)}</time> {words}
      {hasNotes && <Names use={use} />}
      <span class="quiet">
        {more}
        {device && ` on ${nameOfDevice(device)}`}
      </span>
    </li>
  );
}

/** Titles of at most three notes, each a link to its page, and the number of the others. */
function Names({ use: { nodes, node_count } }: { use: Use }): JSX.Element {
  const named = nodes.slice(0, 3);
  const others = node_count - named.length;
  const rest = countOf(others, named.length === 0 ? 'note' : 'other note');
  return (
    <>
      {named.map(({ id, title }, index) => (
        <span key={id}>
          {index === 0 ? ' ' : index === named.length - 1 && others === 0 ? ' and ' : ', '}
          <a href={linkTo(`notes/${id}`)}>
            <Quoted name={title} instead="a note without a title" />
          </a>
        </span>
      ))}
      {others > 0 && `${named.length === 0 ? ' ' : ' and '}${rest}`}
    </>
  );
}
