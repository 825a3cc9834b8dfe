import { type JSX } from 'preact';
import { linkTo, pageIn } from './address.js';
import { App } from './pages/app.jsx';
import { Apps } from './pages/apps.jsx';
import { Consent, prepareConsent } from './pages/consent.jsx';
import { Device } from './pages/device.jsx';
import { Home } from './pages/home.jsx';
import { Note } from './pages/note.jsx';
import { Proposal } from './pages/proposal.jsx';
import { Proposals } from './pages/proposals.jsx';
import { Page } from './parts/basics.jsx';
import { type Account } from './session.js';

/** The page of an address, for a person who is logged in. The service serves these paths alone (console.controller.ts). */
export function pageAt({ pathname, searchParams }: URL, user: Account): JSX.Element {
  const [name = '', id, ...rest] = (pageIn(pathname) ?? '').split('/');
  if (rest.length > 0) return <NoPage />;
  if (name === 'apps') return id === undefined ? <Apps /> : <App id={decodeURIComponent(id)} />;
  if (name === 'notes' && id !== undefined) return <Note id={decodeURIComponent(id)} />;
  if (name === 'proposals')
    return id === undefined ? <Proposals /> : <Proposal id={decodeURIComponent(id)} />;
  if (id !== undefined) return <NoPage />;
  if (name === 'consent') return <Consent request={searchParams.get('request')} />;
  if (name === 'device') return <Device code={searchParams.get('user_code')} />;
  return ['', 'log-in', 'register'].includes(name) ? <Home user={user} /> : <NoPage />;
}

/** Begins to fetch the data of an address for a person who will be logged in in a moment. */
export function prepare({ pathname, searchParams }: URL): void {
  const request = searchParams.get('request');
  if (pageIn(pathname) === 'consent' && request !== null) prepareConsent(request);
}

/** A sentence for the log-in, where the page behind it explains why. */
export function purposeOf({ pathname }: URL): string | null {
  switch (pageIn(pathname)?.split('/')[0]) {
    case 'consent':
      return 'An app asks for access to your graph. Log in to see what it wants, and decide.';
    case 'device':
      return 'Log in to connect your device.';
    case 'proposals':
      return 'Log in to see what apps suggest, and decide.';
    default:
      return null;
  }
}

/** True for the address of the registration. */
export const isRegistration = ({ pathname }: URL): boolean => pageIn(pathname) === 'register';

function NoPage(): JSX.Element {
  return (
    <Page title="There is no such page" narrow>
      <p>
        <a href={linkTo()}>Go to the start</a>
      </p>
    </Page>
  );
}
