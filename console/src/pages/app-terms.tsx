import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useWork } from '../hooks.js';
import { type Authorization, changeAuthorization } from '../oauth.js';
import { Busy, Problem, submitting } from '../parts/basics.jsx';
import { withProof } from '../parts/proof.jsx';
import { Said, useSaid } from '../parts/said.jsx';
import { dayOf, inDays, inOrder, linesOf, ORDER, SCOPES, type Scope } from '../words.js';

interface Terms {
  authorization: Authorization;
  reload: () => void;
}

/** The permissions of a connected app; some may be taken away, and more of them come only by a new request of the app. */
export function WhatItMayDo({ authorization: one, reload }: Terms): JSX.Element {
  const [said, done] = useSaid(reload);
  const scopes = inOrder(one.scopes);
  const lines = linesOf(scopes);
  const isActive = one.status === 'active';
  return (
    <section class="card">
      <h2>{isActive ? 'What it may do' : 'What it could do'}</h2>
      {lines.length === 0 ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <ul class="lines">
          {lines.map((scope) => (
            <li key={scope}>
              <strong>{SCOPES[scope].may}</strong>{' '}
              {isActive && <span class="quiet">{SCOPES[scope].more}</span>}
            </li>
          ))}
        </ul>
      )}
      {isActive && (
        <>
          <Said text={said} />
          <More authorization={one} />
          {scopes.length > 1 && <Narrow id={one.id} scopes={scopes} done={done} />}
        </>
      )}
    </section>
  );
}

function More({
  authorization: { scopes, upgrade_pending },
}: Pick<Terms, 'authorization'>): JSX.Element | null {
  if (scopes.length >= ORDER.length && !upgrade_pending) return null;
  return (
    <p class="hint">
      {upgrade_pending && 'It now asks for more than you have allowed. '}
      To let it do more, connect it again: in the app, choose to connect or to log in once more. It then asks
      you here, and you check what it may do. This cannot be done from this page.
    </p>
  );
}

function Narrow({
  id,
  scopes,
  done,
}: {
  id: string;
  scopes: Scope[];
  done: (text: string) => void;
}): JSX.Element {
  const [taken, setTaken] = useState<Scope[]>([]);
  const { isBusy, error, run } = useWork();
  const left = scopes.filter((scope) => !taken.includes(scope));
  const save = (): void =>
    void run(async () => {
      await withProof(() => changeAuthorization(id, { scopes: left }));
      setTaken([]);
      done('Saved: it may do less from its next request on.');
    });
  return (
    <details>
      <summary>Allow less</summary>
      <form onSubmit={submitting(save)}>
        <fieldset>
          <legend>It may still</legend>
          {linesOf(scopes, left).map((scope) => (
            <label class="choice" key={scope}>
              <input
                type="checkbox"
                checked={!taken.includes(scope)}
                onChange={({ currentTarget: { checked } }) =>
                  setTaken((last) => (checked ? last.filter((each) => each !== scope) : [...last, scope]))
                }
              />
              <span>{SCOPES[scope].may}</span>
            </label>
          ))}
        </fieldset>
        <Problem text={left.length === 0 ? 'Leave at least one, or end the connection below.' : error} />
        {taken.length > 0 && left.length > 0 && (
          <Busy isBusy={isBusy} class="button primary">
            Save
          </Busy>
        )}
      </form>
    </details>
  );
}

export function EndDate({ authorization: one, reload }: Terms): JSX.Element {
  const { isBusy, error, run } = useWork();
  const [said, done] = useSaid(reload);
  const change = (days: number | null): void =>
    void run(async () => {
      const expires_at = days === null ? null : inDays(days);
      await withProof(() => changeAuthorization(one.id, { expires_at }));
      done(expires_at === null ? 'Saved: only you end it.' : `Saved: it ends on ${dayOf(expires_at)}.`);
    });
  return (
    <>
      <Said text={said} />
      <p>{one.expires_at ? `It ends by itself on ${dayOf(one.expires_at)}.` : 'It ends when you end it.'}</p>
      <details>
        <summary>Change the end</summary>
        <div class="row" aria-busy={isBusy}>
          <button type="button" class="button" onClick={() => change(90)}>
            In 90 days
          </button>
          <button type="button" class="button" onClick={() => change(365)}>
            In a year
          </button>
          <button type="button" class="button" onClick={() => change(null)}>
            When I end it
          </button>
        </div>
        <Problem text={error} />
      </details>
    </>
  );
}
