import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Loaded, useWork } from '../hooks.js';
import { type AppSession, type Authorization, type Devices, endSession } from '../oauth.js';
import { Loading, Problem } from '../parts/basics.jsx';
import { Confirm } from '../parts/dialog.jsx';
import { withProof } from '../parts/proof.jsx';
import { Said, useSaid } from '../parts/said.jsx';
import { agoOf } from '../words.js';

/** A browser or program as it names itself to servers: its name and, behind a slash, its version. */
const PRODUCT = /^([\w.-]+)(?:\/|$)/;
const PROGRAMS: Readonly<Record<string, string>> = { Mozilla: 'a browser', node: 'a program (Node.js)' };

export function nameOfDevice({ device }: AppSession): string {
  if (device === null) return 'a device without a name';
  const product = PRODUCT.exec(device)?.[1];
  return product === undefined ? device : (PROGRAMS[product] ?? `a program (${product})`);
}

interface Shown {
  authorization: Authorization;
  devices: Loaded<Devices>;
}

/** The devices on which an app is connected, and those on which it no longer is. */
export function DeviceList({ authorization: one, devices }: Shown): JSX.Element | null {
  const { value, error, reload } = devices;
  const [said, done] = useSaid(reload);
  if (value?.active.length === 0 && value.ended.length === 0) return null;
  // The end of a connection ends it on all devices, before each of them is marked.
  const isActive = one.status === 'active';
  return (
    <section class="card">
      <h2>{isActive ? 'Where it is connected' : 'Where it was connected'}</h2>
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : (
        <>
          <Said text={said} />
          {isActive && value.active.length === 0 && <p class="quiet">On no device.</p>}
          <ul class="lines">
            {value.active.map((session) => (
              <li key={session.id} class="between">
                <span>
                  <strong>{startOf(session)}</strong>{' '}
                  <span class="quiet">used {agoOf(session.last_used_at)}</span>
                </span>
                {isActive && <Disconnect authorizationId={one.id} session={session} done={done} />}
              </li>
            ))}
          </ul>
          <Ended sessions={value.ended} />
        </>
      )}
    </section>
  );
}

function Disconnect({
  authorizationId,
  session,
  done,
}: {
  authorizationId: string;
  session: AppSession;
  done: (text: string) => void;
}): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const { error, run } = useWork();
  const name = nameOfDevice(session);
  const end = (): void =>
    void run(async () => {
      setAsking(false);
      await withProof(() => endSession(authorizationId, session.id));
      done(`${startOf(session)} is disconnected.`);
    });
  return (
    <>
      <button
        type="button"
        class="button small"
        aria-label={`Disconnect ${name}`}
        onClick={() => setAsking(true)}
      >
        Disconnect
      </button>
      <Problem text={error} />
      {isAsking && (
        <Confirm
          title={`Disconnect ${name}?`}
          verb="Disconnect it"
          close={() => setAsking(false)}
          confirm={end}
        >
          <p>
            From its next request on the app sees nothing there. To connect it again, begin on that device.
          </p>
        </Confirm>
      )}
    </>
  );
}

const COPIED: ReadonlySet<AppSession['end_reason']> = new Set(['refresh_token_reused', 'code_reused']);

/** Warns about the last copy, because it may still be read by somebody who made it. */
function Ended({ sessions }: { sessions: readonly AppSession[] }): JSX.Element | null {
  if (sessions.length === 0) return null;
  const copied = sessions.find(({ end_reason }) => COPIED.has(end_reason));
  return (
    <>
      {copied && (
        <p class="problem">
          <strong>Somebody may have copied a key of this app.</strong> {startOf(copied)} was disconnected{' '}
          {agoOf(copied.ended_at ?? copied.last_used_at)}, because the key that it connects with was used a
          second time. If the device is yours, connect it again in the app. If you do not know it, end the
          connection of the app.
        </p>
      )}
      <details>
        <summary>No longer connected</summary>
        <ul class="lines">
          {sessions.map((session) => (
            <li key={session.id}>
              <strong>{startOf(session)}</strong>{' '}
              <span class="quiet">
                {agoOf(session.ended_at ?? session.last_used_at)}: {reasonOf(session)}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const startOf = (session: AppSession): string => {
  const name = nameOfDevice(session);
  return name.charAt(0).toUpperCase() + name.slice(1);
};

const REASONS: Record<Exclude<AppSession['end_reason'], null>, string> = {
  ended_by_person: 'you disconnected it',
  revoked_by_client: 'the app disconnected itself',
  refresh_token_reused: 'its key may have been copied',
  code_reused: 'its key may have been copied',
  authorization_ended: 'the whole connection ended',
  unused: 'it was not used for a long time',
};

const reasonOf = ({ end_reason }: AppSession): string =>
  end_reason === null ? 'it was disconnected' : REASONS[end_reason];
