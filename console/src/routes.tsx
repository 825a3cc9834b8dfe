import { type JSX } from 'preact';
import { isPage } from '../../src/console/http/page-paths.js';
import { linkTo, pageIn } from './address.js';
import { AccountPage } from './pages/account.jsx';
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

/** True for an address without a page; the service answers it with the status 404. */
export const isNowhere = ({ pathname }: URL): boolean => !isPage(pageIn(pathname) ?? '');

/** The page of an address, for a person who is logged in. */
export function pageAt({ pathname, searchParams }: URL, user: Account): JSX.Element {
  const page = pageIn(pathname) ?? '';
  if (!isPage(page)) return <NoPage />;
  const [name = '', id] = page.split('/');
  if (name === 'apps') return id === undefined ? <Apps /> : <App id={decodeURIComponent(id)} />;
  if (name === 'notes' && id !== undefined) return <Note id={decodeURIComponent(id)} />;
  if (name === 'proposals')
    return id === undefined ? <Proposals /> : <Proposal id={decodeURIComponent(id)} />;
  if (name === 'consent') return <Consent request={searchParams.get('request')} />;
  if (name === 'device') return <Device code={searchParams.get('user_code')} />;
  return name === 'account' ? <AccountPage /> : <Home user={user} />;
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
    case 'account':
      return 'Log in to see your account.';
    case 'notes':
      return 'Log in to read this note.';
    case 'proposals':
      return 'Log in to see what apps suggest, and decide.';
    default:
      return null;
  }
}

/** True for the address of the registration. */
export const isRegistration = ({ pathname }: URL): boolean => pageIn(pathname) === 'register';

export function NoPage(): JSX.Element {
  return (
    <Page title="There is no such page" narrow>
      <p>
        <a href={linkTo()}>Go to the start</a>
      </p>
    </Page>
  );
}
