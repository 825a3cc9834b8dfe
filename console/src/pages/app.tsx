import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../address.js';
import { useLoaded, useWork } from '../hooks.js';
import { type Authorization, devicesOf } from '../oauth.js';
import { Loading, Page, Problem } from '../parts/basics.jsx';
import { Identity } from '../parts/client-name.jsx';
import { Confirm } from '../parts/dialog.jsx';
import { withProof } from '../parts/proof.jsx';
import { go } from '../router.js';
import { authorized } from '../session.js';
import { dayOf, timeOf } from '../words.js';
import { DeviceList } from './app-devices.jsx';
import { WhatItMaySee } from './app-sight.jsx';
import { EndDate, WhatItMayDo } from './app-terms.jsx';
import { LastReads } from './app-uses.jsx';

async function authorizationOf(authorization_id: string): Promise<Authorization> {
  const { data } = await authorized().GET('/api/v1/authorizations/{authorization_id}', {
    params: { path: { authorization_id } },
  });
  return data as Authorization;
}

const back = () => ({ href: linkTo('apps'), text: 'Connected apps' });

export function App({ id }: { id: string }): JSX.Element {
  const { value, error, reload } = useLoaded(() => authorizationOf(id), [id]);
  if (value === null)
    return (
      <Page title="Connected app" back={back()}>
        <Loading error={error} reload={reload} />
      </Page>
    );
  return <Shown authorization={value} reload={reload} />;
}

function Shown({
  authorization: one,
  reload,
}: {
  authorization: Authorization;
  reload: () => void;
}): JSX.Element {
  const isActive = one.status === 'active';
  const devices = useLoaded(() => devicesOf(one.id), [one.id]);
  return (
    <Page title={one.client.name} back={back()}>
      <p class="lead">
        <Identity client={one.client} /> <Span authorization={one} />
      </p>
      {one.purpose && (
        <p>
          It {isActive ? 'says' : 'said'} why: “{one.purpose}”
        </p>
      )}
      <WhatItMayDo authorization={one} reload={reload} />
      {isActive && (
        <>
          <WhatItMaySee authorization={one} reload={reload} />
          <section class="card">
            <h2>How long</h2>
            <EndDate authorization={one} reload={reload} />
          </section>
        </>
      )}
      <DeviceList authorization={one} devices={devices} />
      <LastReads appId={one.app_id} devices={devices.value} />
      {isActive && <End authorization={one} />}
    </Page>
  );
}

/** The time of a connection: the one that is left, or the one that is over. */
function Span({ authorization: one }: { authorization: Authorization }): JSX.Element {
  const since = timeOf(one.created_at);
  if (one.status === 'active')
    return (
      <>
        Connected since {since}, {one.expires_at ? `until ${dayOf(one.expires_at)}` : 'until you end it'}.
      </>
    );
  const end = one.revoked_at ?? one.expires_at;
  return (
    <>
      <strong>This connection has ended{end && ` on ${dayOf(end)}`}.</strong> It began on {since}. The app
      sees nothing now; to let it in again, begin in the app.
    </>
  );
}

function End({ authorization: one }: { authorization: Authorization }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const { error, run } = useWork();
  const end = (): void =>
    void run(async () => {
      setAsking(false);
      await withProof(() =>
        authorized().DELETE('/api/v1/authorizations/{authorization_id}', {
          params: { path: { authorization_id: one.id } },
        }),
      );
      go(linkTo('apps'));
    });
  return (
    <section class="end">
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        End this connection
      </button>
      <Problem text={error} />
      {isAsking && (
        <Confirm title={`End “${one.app.name}”?`} verb="End it" close={() => setAsking(false)} confirm={end}>
          <p>
            From its next request on it sees nothing, on every device. What it has read before stays with it.
            To let it in again, begin in the app.
          </p>
        </Confirm>
      )}
    </section>
  );
}
