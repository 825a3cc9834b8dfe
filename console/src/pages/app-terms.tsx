import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded, useWork } from '../hooks.js';
import { type Authorization, changeAuthorization } from '../oauth.js';
import { Busy, fieldOf, Loading, Problem, submitting } from '../parts/basics.jsx';
import { withProof } from '../parts/proof.jsx';
import { profilesById } from '../profiles.js';
import { dayOf, inDays, linesOf, SCOPES, type Scope } from '../words.js';

interface Terms {
  authorization: Authorization;
  reload: () => void;
}

/** Takes permissions away; more of them can only be asked for by the app. */
export function Narrow({
  authorization: one,
  scopes,
  reload,
}: Terms & { scopes: Scope[] }): JSX.Element | null {
  const [taken, setTaken] = useState<Scope[]>([]);
  const { isBusy, error, run } = useWork();
  if (scopes.length < 2) return null;
  const left = scopes.filter((scope) => !taken.includes(scope));
  const save = (): void =>
    void run(async () => {
      await withProof(() => changeAuthorization(one.id, { scopes: left }));
      setTaken([]);
      reload();
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
        <p class="hint">What you take away comes back only when the app asks you again.</p>
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

export function ProfileChoice({ authorization: one, reload }: Terms): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Show it something else</summary>
      {isOpen && <ProfileForm authorization={one} reload={reload} />}
    </details>
  );
}

function ProfileForm({ authorization: one, reload }: Terms): JSX.Element {
  const profiles = useLoaded(async () => [...(await profilesById()).values()], []);
  const { isBusy, error, run } = useWork();
  if (profiles.value === null) return <Loading error={profiles.error} reload={profiles.reload} />;
  const save = (form: HTMLFormElement): void =>
    void run(async () => {
      await withProof(() => changeAuthorization(one.id, { exposure_profile_id: fieldOf(form, 'profile') }));
      reload();
    });
  return (
    <form onSubmit={submitting(save)}>
      <p class="field">
        <label for="profile">Profile</label>
        <select id="profile" name="profile" defaultValue={one.exposure_profile_id}>
          {profiles.value.map(({ id, name, is_active }) => (
            <option key={id} value={id} selected={id === one.exposure_profile_id}>
              {name}
              {is_active ? '' : ' (switched off)'}
            </option>
          ))}
        </select>
      </p>
      <Problem text={error} />
      <Busy isBusy={isBusy} class="button primary">
        Use this profile
      </Busy>
    </form>
  );
}

export function EndDate({ authorization: one, reload }: Terms): JSX.Element {
  const { isBusy, error, run } = useWork();
  const change = (days: number | null): void =>
    void run(async () => {
      await withProof(() => changeAuthorization(one.id, { expires_at: days === null ? null : inDays(days) }));
      reload();
    });
  return (
    <>
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
