import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded, useWork } from '../hooks.js';
import { type Authorization, changeAuthorization } from '../oauth.js';
import { Busy, Loading, Problem, submitting } from '../parts/basics.jsx';
import { withProof } from '../parts/proof.jsx';
import { Said, useSaid } from '../parts/said.jsx';
import {
  allProfiles,
  dropProfile,
  lackedBy,
  profileFor,
  type Profiles,
  saveProfile,
  type Wanted,
} from '../profiles.js';
import { countOf, inOrder } from '../words.js';
import { AsThisApp } from './app-uses.jsx';
import { type Choice, isReady, SightPicker } from './consent-sight.jsx';

interface Terms {
  authorization: Authorization;
  reload: () => void;
}

/** The profile by which a connected app sees the graph, and the choice of another one. */
export function WhatItMaySee({ authorization: one, reload }: Terms): JSX.Element {
  const [said, done] = useSaid(reload);
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card">
      <h2 id="what-it-sees">What it may see</h2>
      <p>
        It sees your graph through the profile “{one.profile?.name ?? 'deleted'}”
        {one.node_counts ? `: ${countOf(one.node_counts.read, 'note')}` : ''}.
      </p>
      <Said text={said} />
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show it something else</summary>
        {isOpen && (
          <Change
            authorization={one}
            done={(text) => {
              setOpen(false);
              done(text);
            }}
          />
        )}
      </details>
      <AsThisApp key={one.exposure_profile_id} appId={one.app_id} />
    </section>
  );
}

interface Changing {
  authorization: Authorization;
  done: (text: string) => void;
}

function Change({ authorization, done }: Changing): JSX.Element {
  const { value, error, reload } = useLoaded(allProfiles, []);
  if (value === null) return <Loading error={error} reload={reload} />;
  return <ProfileForm authorization={authorization} profiles={value} done={done} />;
}

/** The person's profiles, the present one first; nothing changes before it is saved. */
function ProfileForm({ authorization: one, profiles, done }: Changing & { profiles: Profiles }): JSX.Element {
  const wanted: Wanted = {
    schemas: one.requested_permissions.schemas,
    scopes: inOrder(one.scopes),
    appId: one.app_id,
  };
  const [choice, setChoice] = useState<Choice>({
    profileId: one.exposure_profile_id,
    selection: { name: newName(one, profiles), isAll: false, tagIds: [], nodeTypes: [] },
  });
  const { isBusy, error, run } = useWork();
  const canSave = isReady(choice) && choice.profileId !== one.exposure_profile_id;
  const save = (): void =>
    void run(async () => {
      const name = await use(one, choice, wanted);
      done(
        `Saved: it now sees your graph through “${name ?? profiles.byId.get(choice.profileId ?? '')?.name}”.`,
      );
    });
  return (
    <form onSubmit={submitting(() => canSave && save())}>
      <SightPicker
        options={optionsOf(one, profiles, wanted)}
        wanted={wanted}
        profiles={profiles}
        currentId={one.exposure_profile_id}
        choice={choice}
        change={setChoice}
      />
      <Problem text={error} />
      {!canSave && (
        <p id="why-not" class="hint">
          {isReady(choice)
            ? 'It sees this already.'
            : 'Choose at least one tag, and give the profile a name.'}
        </p>
      )}
      <Busy
        isBusy={isBusy}
        class="button primary"
        aria-disabled={!canSave}
        aria-describedby={canSave ? undefined : 'why-not'}
      >
        Show it this
      </Busy>
    </form>
  );
}

/** A name that no profile of the person has. */
function newName({ client }: Authorization, { byId }: Profiles): string {
  const taken = new Set([...byId.values()].map(({ name }) => name));
  const name = `For ${client.name}`.slice(0, 96);
  for (let number = 2; ; number++) {
    const next = number === 2 ? name : `${name} ${number - 1}`;
    if (!taken.has(next)) return next;
  }
}

const optionsOf = (one: Authorization, { byId }: Profiles, { scopes }: Wanted) =>
  [...byId.values()]
    .sort((a, b) => Number(b.id === one.exposure_profile_id) - Number(a.id === one.exposure_profile_id))
    .map((profile) => ({ id: profile.id, name: profile.name, lacks: lackedBy(profile, scopes) }));

/** Changes the profile, which is saved first where it is a new one. @returns the name of a new one */
async function use(
  one: Authorization,
  { profileId, selection }: Choice,
  wanted: Wanted,
): Promise<string | null> {
  const change = (exposure_profile_id: string): Promise<void> =>
    withProof(() => changeAuthorization(one.id, { exposure_profile_id }));
  if (profileId !== null) {
    await change(profileId);
    return null;
  }
  const made = await withProof(() => saveProfile(profileFor(selection, wanted)));
  try {
    await change(made);
  } catch (error) {
    await dropProfile(made).catch(() => undefined);
    throw error;
  }
  return selection.name.trim();
}
