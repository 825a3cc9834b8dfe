import { type JSX } from 'preact';
import { useWork } from '../hooks.js';
import { type AppSession, type Devices, endSession } from '../oauth.js';
import { Loading, Problem } from '../parts/basics.jsx';
import { withProof } from '../parts/proof.jsx';
import { agoOf } from '../words.js';

export const nameOfDevice = ({ device }: AppSession): string => device ?? 'a device without a name';

interface Shown {
  authorizationId: string;
  devices: Devices | null;
  error: string | null;
  reload: () => void;
}

/** The devices on which an app is connected, and those on which it no longer is. */
export function DeviceList({ authorizationId, devices, error, reload }: Shown): JSX.Element | null {
  const work = useWork();
  if (devices?.active.length === 0 && devices.ended.length === 0) return null;
  const end = (id: string): void =>
    void work.run(async () => {
      await withProof(() => endSession(authorizationId, id));
      reload();
    });
  return (
    <section class="card">
      <h2>Where it is connected</h2>
      {devices === null ? (
        <Loading error={error} reload={reload} />
      ) : (
        <>
          {devices.active.length === 0 && <p class="quiet">On no device.</p>}
          <ul class="lines">
            {devices.active.map((session) => (
              <li key={session.id} class="between">
                <span>
                  <strong>{startOf(session)}</strong>{' '}
                  <span class="quiet">used {agoOf(session.last_used_at)}</span>
                </span>
                <button
                  type="button"
                  class="button small"
                  aria-label={`Disconnect ${nameOfDevice(session)}`}
                  onClick={() => end(session.id)}
                >
                  Disconnect
                </button>
              </li>
            ))}
          </ul>
          <Ended sessions={devices.ended} />
        </>
      )}
      <Problem text={work.error} />
    </section>
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
