import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { linkTo } from '../address.js';
import { useLoaded } from '../hooks.js';
import { type Authorization } from '../oauth.js';
import { Loading, Page } from '../parts/basics.jsx';
import { Identity } from '../parts/client-name.jsx';
import { authorized } from '../session.js';
import { agoOf, countOf, dayOf, inDays, inOrder, sentenceOf, timeOf } from '../words.js';

const PAGE = 50;

async function listed(status: 'active' | undefined, limit: number) {
  const query = { limit, status, include_node_counts: status === 'active' };
  const { data } = await authorized().GET('/api/v1/authorizations', { params: { query } });
  return { all: data?.authorizations ?? [], total: data?.total ?? 0 };
}

export function Apps(): JSX.Element {
  const [limit, setLimit] = useState(PAGE);
  const { value, error, reload } = useLoaded(() => listed('active', limit), [limit]);
  const past = useLoaded(() => listed(undefined, 100), []);
  const ended = (past.value?.all ?? []).filter(({ status }) => status !== 'active');
  return (
    <Page title="Connected apps">
      <p class="lead">Every app that may use your graph now. Changes hold from its next request on.</p>
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : value.total === 0 ? (
        <div class="card empty">
          <p>
            <strong>No app is connected.</strong>
          </p>
          <p class="quiet">
            When an app asks for access, you are sent here and decide what it may see. Connecting begins in
            the app.
          </p>
        </div>
      ) : (
        <ul class="apps">
          {value.all.map((one) => (
            <AppItem key={one.id} authorization={one} />
          ))}
        </ul>
      )}
      {value !== null && value.total > value.all.length && limit < 100 && (
        <button type="button" class="button" onClick={() => setLimit(100)}>
          Show more
        </button>
      )}
      {ended.length > 0 && (
        <details>
          <summary>Ended ({ended.length})</summary>
          <ul class="plain">
            {ended.map((one) => (
              <li key={one.id}>
                <a href={linkTo(`apps/${one.id}`)}>{one.client.name}</a> <Identity client={one.client} />
                <span class="quiet">
                  {' '}
                  connected on {timeOf(one.created_at)},{' '}
                  {one.revoked_at ? `ended on ${dayOf(one.revoked_at)}` : 'expired'}
                  {one.expires_at && !one.revoked_at ? ` on ${dayOf(one.expires_at)}` : ''}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Page>
  );
}

function AppItem({ authorization: one }: { authorization: Authorization }): JSX.Element {
  const scopes = inOrder(one.scopes);
  const counts = one.node_counts;
  return (
    <li class="card">
      <h2>
        <a href={linkTo(`apps/${one.id}`)}>{one.client.name}</a> <Identity client={one.client} />
      </h2>
      <p>{sentenceOf(scopes)}</p>
      <dl class="facts">
        <div>
          <dt>Sees</dt>
          <dd>
            {counts ? countOf(counts.read, 'note') : 'nothing at present'}
            {one.profile && <> through “{one.profile.name}”</>}
          </dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>{timeOf(one.created_at)}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{lastUseOf(one)}</dd>
        </div>
        <div>
          <dt>Until</dt>
          <dd>{one.expires_at ? dayOf(one.expires_at) : 'you end it'}</dd>
        </div>
      </dl>
    </li>
  );
}

/** The last use that the access log knows: it holds 90 days. */
function lastUseOf({ last_used_at, created_at }: Authorization): string {
  if (last_used_at) return agoOf(last_used_at);
  return new Date(created_at) > new Date(inDays(-90)) ? 'not used yet' : 'not in the last 90 days';
}
