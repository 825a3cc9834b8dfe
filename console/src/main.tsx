import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { linkTo } from './address.js';
import { Forgotten } from './pages/forgotten.jsx';
import { LogIn } from './pages/log-in.jsx';
import { Register } from './pages/register.jsx';
import { Loading } from './parts/basics.jsx';
import { ProofPlace } from './parts/proof.jsx';
import { followLinks, useAddress } from './router.js';
import { isNowhere, isRegistration, NoPage, pageAt, prepare, purposeOf } from './routes.jsx';
import { type Account, currentSession, logOut, onSession, resume } from './session.js';

function Console(): JSX.Element {
  const [session, setSession] = useState(currentSession);
  useEffect(() => {
    const stop = onSession(setSession);
    void resume(() => prepare(new URL(location.href)));
    return stop;
  }, []);
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => document.removeEventListener('click', followLinks);
  }, []);
  const address = useAddress();
  if (session.kind === 'unknown')
    return (
      <main class="page narrow">
        <Loading error={null} />
      </main>
    );
  if (session.kind === 'outside')
    return (
      <>
        <Header user={null} />
        {isNowhere(address) ? <NoPage /> : <Gate address={address} notice={session.notice} />}
      </>
    );
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header user={session.user} />
      {pageAt(address, session.user)}
      <ProofPlace />
    </>
  );
}

/** The page behind it follows at the same address, so that nobody loses the request of an app on the way. */
function Gate({ address, notice }: { address: URL; notice: string | null }): JSX.Element {
  const [way, setWay] = useState<'log-in' | 'register' | 'forgotten'>(
    isRegistration(address) ? 'register' : 'log-in',
  );
  const back = (): void => setWay('log-in');
  if (way === 'register') return <Register logIn={back} />;
  if (way === 'forgotten') return <Forgotten back={back} />;
  return <LogIn notice={notice} purpose={purposeOf(address)} choose={setWay} />;
}

function Header({ user }: { user: Account | null }): JSX.Element {
  return (
    <header class="top">
      <a class="brand" href={linkTo()}>
        Your graph
      </a>
      {user !== null && (
        <nav aria-label="Account">
          <a href={linkTo('account')}>{user.username}</a>
          <button type="button" class="link" onClick={() => void logOut()}>
            Log out
          </button>
        </nav>
      )}
    </header>
  );
}

// A relative address would change its meaning with the path of each page.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
if (icon !== null) icon.href = icon.href;

const root = document.getElementById('root');
if (root !== null) {
  root.replaceChildren();
  render(<Console />, root);
}
