import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Passkey, passkeys, removePasskey } from '../account.js';
import { useLoaded, useWork } from '../hooks.js';
import { Busy, Field, fieldOf, Loading, Problem, submitting } from '../parts/basics.jsx';
import { Confirm } from '../parts/dialog.jsx';
import { withProof } from '../parts/proof.jsx';
import { addPasskey, canUsePasskeys } from '../passkeys.js';
import { agoOf, dayOf } from '../words.js';

/** The passkeys of the person, with the ways to add and to remove one; each change ends other log-ins. */
export function Passkeys({ changed }: { changed: () => void }): JSX.Element {
  const { value, error, reload: again } = useLoaded(passkeys, []);
  const reload = (): void => {
    again();
    changed();
  };
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <p>Log in by fingerprint, face or PIN instead of the password.</p>
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : value.length === 0 ? (
        <p class="quiet">You have none.</p>
      ) : (
        <ul class="lines">
          {value.map((one) => (
            <Item key={one.id} passkey={one} reload={reload} />
          ))}
        </ul>
      )}
      {canUsePasskeys() ? <Add reload={reload} /> : <p class="quiet">This browser cannot make one here.</p>}
    </section>
  );
}

const ENDS_OTHERS = 'Your other log-ins end.';

function Add({ reload }: { reload: () => void }): JSX.Element {
  const { isBusy, error, run } = useWork();
  const add = (form: HTMLFormElement): void =>
    void run(async () => {
      await withProof(() => addPasskey(fieldOf(form, 'name').trim()));
      form.reset();
      reload();
    });
  return (
    <form onSubmit={submitting(add)}>
      <Field
        label="Name of a new passkey"
        name="name"
        autocomplete="off"
        maxLength={100}
        hint={`Such as “My phone”. ${ENDS_OTHERS}`}
        required
      />
      <Problem text={error} />
      <Busy isBusy={isBusy} class="button">
        Add a passkey
      </Busy>
    </form>
  );
}

function Item({ passkey: one, reload }: { passkey: Passkey; reload: () => void }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const { error, run } = useWork();
  const remove = (): void =>
    void run(async () => {
      setAsking(false);
      await withProof(() => removePasskey(one.id));
      reload();
    });
  return (
    <li>
      <div class="between">
        <span>
          <strong>{one.name}</strong>{' '}
          <span class="quiet">
            added on {dayOf(one.created_at)}
            {one.last_used_at && `, used ${agoOf(one.last_used_at)}`}
          </span>
        </span>
        <button
          type="button"
          class="button small"
          aria-label={`Remove ${one.name}`}
          onClick={() => setAsking(true)}
        >
          Remove
        </button>
      </div>
      {one.copy_suspected_at && <p class="problem">There may be a copy of it: remove it.</p>}
      <Problem text={error} />
      {isAsking && (
        <Confirm
          title={`Remove “${one.name}”?`}
          verb="Remove it"
          close={() => setAsking(false)}
          confirm={remove}
        >
          <p>It can no longer log you in. {ENDS_OTHERS} Delete it on its device as well.</p>
        </Confirm>
      )}
    </li>
  );
}
