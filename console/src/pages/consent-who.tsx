import { type JSX } from 'preact';
import { type Authorization, type ConsentRequest } from '../oauth.js';
import { Identity } from '../parts/client-name.jsx';
import { logOut } from '../session.js';
import { countOf, timeOf } from '../words.js';

/** The first thing to read: who asks, where the answer goes, and whose graph it is. */
export function WhoAsks({
  asked,
  connected,
}: {
  asked: ConsentRequest;
  connected: readonly Authorization[];
}): JSX.Element {
  const { client, existing, purpose, user } = asked;
  const namesakes = connected.filter(
    (one) => one.client.name === client.name && one.app_id !== client.app_id,
  );
  return (
    <section class="card who" aria-label="Who asks">
      <dl class="facts">
        <div>
          <dt>Who asks</dt>
          <dd>
            <WhoIt client={client} />
          </dd>
        </div>
        <div>
          <dt>The answer goes</dt>
          <dd>{placeOf(asked.returns_to)}</dd>
        </div>
        {purpose !== null && (
          <div>
            <dt>It says why</dt>
            <dd>“{purpose}”</dd>
          </div>
        )}
        <div>
          <dt>You are</dt>
          <dd>
            <strong>{user.username}</strong>{' '}
            <button type="button" class="link" onClick={() => void logOut()}>
              Not you?
            </button>
          </dd>
        </div>
      </dl>
      {namesakes.map((one) => (
        <p class="note" key={one.id}>
          Another app of this name is connected already, since {timeOf(one.created_at)}:{' '}
          <Identity client={one.client} />. This is not that one.
        </p>
      ))}
      {existing !== null && (
        <p class="note">
          This app is connected already
          {existing.sessions > 1 && `, on ${countOf(existing.sessions, 'device')}`}
          {existing.exposure_profile && `, through the profile “${existing.exposure_profile.name}”`}. If you
          allow this, the new terms replace the old ones on all of its devices.
        </p>
      )}
    </section>
  );
}

function WhoIt({ client }: { client: ConsentRequest['client'] }): JSX.Element {
  if (client.verified && client.host !== null)
    return (
      <>
        <strong>{client.name}</strong>, identified by <span class="host">{client.host}</span>
      </>
    );
  if (client.kind === 'registered')
    return (
      <>
        <strong>{client.name}</strong>, registered at this service
        {client.host !== null && (
          <>
            {' '}
            for <span class="host">{client.host}</span>
          </>
        )}
      </>
    );
  return (
    <>
      An app that calls itself <strong>{client.name}</strong> <span class="badge warn">not verified</span>
      <br />
      <span class="quiet">
        Anybody can use this name. Allow it only if you have just begun this in that app.
      </span>
    </>
  );
}

function placeOf({ kind, host }: ConsentRequest['returns_to']): JSX.Element {
  const port = /:(\d+)$/.exec(host ?? '')?.[1];
  switch (kind) {
    case 'this_computer':
      return <>to a program on this computer{port === undefined ? '' : ` (port ${port})`}</>;
    case 'device':
      return <>to the device that shows your code</>;
    case 'app':
      return (
        <>
          to an app on this device that opens links with <span class="host">{host}</span>
        </>
      );
    default:
      return (
        <>
          to <span class="host">{host}</span>
        </>
      );
  }
}
