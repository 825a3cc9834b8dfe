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
import { countOf, dayOf, inOrder, linesOf, SCOPES } from '../words.js';
import { DeviceList } from './app-devices.jsx';
import { AsThisApp, LastReads } from './app-uses.jsx';
import { EndDate, Narrow, ProfileChoice } from './app-terms.jsx';

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
  const scopes = inOrder(one.scopes);
  const lines = linesOf(scopes);
  const isActive = one.status === 'active';
  const devices = useLoaded(() => devicesOf(one.id), [one.id]);
  return (
    <Page title={one.client.name} back={back()}>
      <p class="lead">
        <Identity client={one.client} /> Connected since {dayOf(one.created_at)}
        {one.expires_at ? `, until ${dayOf(one.expires_at)}` : ', until you end it'}.
        {!isActive && <strong> This connection has ended.</strong>}
      </p>
      {one.purpose && <p>It says why: “{one.purpose}”</p>}
      <section class="card">
        <h2>What it may do</h2>
        {lines.length === 0 ? (
          <p class="quiet">Nothing.</p>
        ) : (
          <ul class="lines">
            {lines.map((scope) => (
              <li key={scope}>
                <strong>{SCOPES[scope].may}</strong> <span class="quiet">{SCOPES[scope].more}</span>
              </li>
            ))}
          </ul>
        )}
        {isActive && <Narrow authorization={one} scopes={scopes} reload={reload} />}
      </section>
      {isActive && (
        <>
          <section class="card">
            <h2>What it may see</h2>
            <p>
              It sees your graph through the profile “{one.profile?.name ?? 'deleted'}”
              {one.node_counts ? `: ${countOf(one.node_counts.read, 'note')}` : ''}.
            </p>
            <ProfileChoice authorization={one} reload={reload} />
            <AsThisApp appId={one.app_id} />
          </section>
          <section class="card">
            <h2>How long</h2>
            <EndDate authorization={one} reload={reload} />
          </section>
        </>
      )}
      <DeviceList
        authorizationId={one.id}
        devices={devices.value}
        error={devices.error}
        reload={devices.reload}
      />
      <LastReads appId={one.app_id} devices={devices.value} />
      {isActive && <End authorization={one} />}
    </Page>
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
