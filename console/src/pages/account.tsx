import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type OwnAccount, ownAccount } from '../account.js';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Loading, Page } from '../parts/basics.jsx';
import { countOf } from '../words.js';
import { LogIns } from './account-log-ins.jsx';
import { Passkeys } from './account-passkeys.jsx';

/** The person's own account: who they are, how they log in, and where they are logged in. */
export function AccountPage(): JSX.Element {
  const { value, error, reload } = useLoaded(ownAccount, []);
  const [turn, setTurn] = useState(0);
  return (
    <Page title="Your account" back={{ href: linkTo(), text: 'Start' }}>
      {value === null ? <Loading error={error} reload={reload} /> : <Facts account={value} />}
      <Passkeys changed={() => setTurn(turn + 1)} />
      <LogIns key={turn} />
    </Page>
  );
}

function Facts({ account }: { account: OwnAccount }): JSX.Element {
  const { username, email, email_verified, second_factor } = account;
  const { totp, recovery_codes_left } = second_factor;
  return (
    <section class="card" aria-label="About you">
      <dl class="facts">
        <div>
          <dt>Username</dt>
          <dd>{username}</dd>
        </div>
        <div>
          <dt>E-mail address</dt>
          <dd>
            {email}{' '}
            <span class="quiet">
              {email_verified ? '(confirmed)' : '(not confirmed: no letter can reset your password)'}
            </span>
          </dd>
        </div>
        <div>
          <dt>Second factor</dt>
          <dd>
            {totp
              ? `An authenticator app, and ${countOf(recovery_codes_left, 'unused recovery code')}`
              : 'None: the password alone logs you in'}
          </dd>
        </div>
      </dl>
    </section>
  );
}
