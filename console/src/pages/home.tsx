import { type JSX } from 'preact';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { Page } from '../parts/basics.jsx';
import { countWaiting } from '../proposals.js';
import { type Account, authorized } from '../session.js';
import { countOf } from '../words.js';

export function Home({ user }: { user: Account }): JSX.Element {
  const apps = useLoaded(async () => {
    const query = { status: 'active' as const, limit: 1 };
    return (await authorized().GET('/api/v1/authorizations', { params: { query } })).data?.total ?? 0;
  }, []);
  const connected =
    apps.value === null
      ? 'See what each one may do, and end it.'
      : apps.value === 0
        ? 'No app is connected.'
        : `${countOf(apps.value, 'app is', 'apps are')} connected. See what each may do, and end it.`;
  const waiting = useLoaded(countWaiting, []);
  return (
    <Page title={`Hello, ${user.username}`}>
      <p class="lead">This is the place where you decide who sees your graph.</p>
      <ul class="tiles">
        <li>
          <a class="tile" href={linkTo('apps')}>
            <strong>Connected apps</strong>
            <span>{connected}</span>
          </a>
        </li>
        <li>
          <a class="tile" href={linkTo('proposals')}>
            <strong>Suggestions</strong>
            <span>{waitingText(waiting.value)}</span>
          </a>
        </li>
        <li>
          <a class="tile" href={linkTo('device')}>
            <strong>Connect a device</strong>
            <span>Enter the code that a command line or a television shows you.</span>
          </a>
        </li>
        <li>
          <a class="tile" href={linkTo('account')}>
            <strong>Your account</strong>
            <span>Your passkeys, your second factor, and where you are logged in.</span>
          </a>
        </li>
      </ul>
    </Page>
  );
}

function waitingText(count: number | null): string {
  if (count === null) return 'See what apps suggest, and decide.';
  if (count === 0) return 'Nothing waits for you.';
  return `${countOf(count, 'suggestion waits', 'suggestions wait')} for you.`;
}
