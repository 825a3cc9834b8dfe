import { type JSX } from 'preact';
import { deviceOf, endLogIn, type LogIn, logIns } from '../account.js';
import { useLoaded, useWork } from '../hooks.js';
import { Loading, Problem } from '../parts/basics.jsx';
import { withProof } from '../parts/proof.jsx';
import { agoOf } from '../words.js';

/** The places where the person is logged in, and the ends of all but this one. */
export function LogIns(): JSX.Element {
  const { value, error, reload } = useLoaded(logIns, []);
  const work = useWork();
  const end = (ids: readonly string[]): void =>
    void work.run(async () => {
      for (const id of ids) await withProof(() => endLogIn(id));
      reload();
    });
  const others = (value ?? []).filter(({ is_current }) => !is_current);
  return (
    <section class="card">
      <h2>Where you are logged in</h2>
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : (
        <ul class="lines">
          {value.map((one) => (
            <Item key={one.id} logIn={one} end={() => end([one.id])} />
          ))}
        </ul>
      )}
      <Problem text={work.error} />
      {others.length > 1 && (
        <button type="button" class="button" onClick={() => end(others.map(({ id }) => id))}>
          End all others
        </button>
      )}
    </section>
  );
}

function Item({ logIn, end }: { logIn: LogIn; end: () => void }): JSX.Element {
  const { network, last_used_at, is_current } = logIn;
  const name = deviceOf(logIn);
  return (
    <li class="between">
      <span>
        <strong>{name}</strong>{' '}
        <span class="quiet">
          {is_current ? 'this browser' : `used ${agoOf(last_used_at)}`}
          {network && `, network ${network}`}
        </span>
      </span>
      {!is_current && (
        <button type="button" class="button small" aria-label={`End the log-in of ${name}`} onClick={end}>
          End
        </button>
      )}
    </li>
  );
}
