import { type JSX } from 'preact';
import { useLoaded, useSettled } from '../hooks.js';
import { type ConsentRequest } from '../oauth.js';
import { Field, Loading } from '../parts/basics.jsx';
import { Notes } from '../parts/samples.jsx';
import { TagPicker, TypePicker } from '../parts/pickers.jsx';
import {
  isTransparent,
  previewOf,
  previewOfNew,
  type Profile,
  profileFor,
  type Selection,
} from '../profiles.js';
import { authorized } from '../session.js';
import { countOf, inOrder, listOf, type Scope, SCOPES } from '../words.js';

/** A profile by its id, or a new one (null) of what is selected. */
export interface Choice {
  profileId: string | null;
  selection: Selection;
}

/** True if there is something to approve: a new profile needs a name, and a tag or all notes. */
export const isReady = ({ profileId, selection }: Choice): boolean =>
  profileId !== null || (selection.name.trim() !== '' && (selection.isAll || selection.tagIds.length > 0));

/** The profiles that can be made on the spot. */
const NEW_PROFILES = [
  {
    isAll: false,
    title: 'Only notes that I pick now',
    words: 'A new profile for this app, by tags and kinds of notes.',
  },
  {
    isAll: true,
    title: 'All my notes',
    words: 'A new profile for this app, also for notes that you add later.',
  },
] as const;

interface Sight {
  asked: ConsentRequest;
  profiles: Map<string, Profile>;
  scopes: readonly Scope[];
  choice: Choice;
  change: (choice: Choice) => void;
}

export function WhatItSees({ asked, profiles, scopes, choice, change }: Sight): JSX.Element {
  const { profileId, selection } = choice;
  const select = (part: Partial<Selection>): void =>
    change({ ...choice, selection: { ...selection, ...part } });
  return (
    <section class="card">
      <h2 id="what-it-sees">What it may see</h2>
      <div class="sight">
        <div>
          <div role="radiogroup" aria-labelledby="what-it-sees">
            {asked.profiles.map((one) => (
              <ProfileItem
                key={one.id}
                {...one}
                profile={profiles.get(one.id)}
                scopes={scopes}
                isChosen={one.id === profileId}
                choose={() => change({ ...choice, profileId: one.id })}
              />
            ))}
            {NEW_PROFILES.map(({ isAll, title, words }) => (
              <label class="choice" key={title}>
                <input
                  type="radio"
                  name="profile"
                  checked={profileId === null && selection.isAll === isAll}
                  onChange={() => change({ profileId: null, selection: { ...selection, isAll } })}
                />
                <span>
                  <strong>{title}</strong>
                  {isAll && <span class="badge warn">shows everything</span>}
                  <span class="quiet">{words}</span>
                </span>
              </label>
            ))}
          </div>
          {profileId === null && (
            <div class="new-profile">
              {!selection.isAll && (
                <TagPicker chosen={selection.tagIds} change={(tagIds) => select({ tagIds })} />
              )}
              <TypePicker chosen={selection.nodeTypes} change={(nodeTypes) => select({ nodeTypes })} />
              <Field
                label="Name of the new profile"
                value={selection.name}
                maxLength={100}
                required
                onInput={({ currentTarget }) => select({ name: currentTarget.value })}
              />
            </div>
          )}
        </div>
        <Seen asked={asked} profiles={profiles} scopes={scopes} choice={choice} />
      </div>
    </section>
  );
}

function ProfileItem({
  name,
  lacks,
  profile,
  scopes,
  isChosen,
  choose,
}: ConsentRequest['profiles'][number] & {
  profile: Profile | undefined;
  scopes: readonly Scope[];
  isChosen: boolean;
  choose: () => void;
}): JSX.Element {
  const lacking = inOrder(lacks).filter((scope) => scopes.includes(scope));
  const isOpen = profile !== undefined && isTransparent(profile);
  const words = lacking.map((scope) => SCOPES[scope].may.toLowerCase());
  return (
    <label class="choice">
      <input
        type="radio"
        name="profile"
        checked={isChosen}
        disabled={lacking.length > 0 && !isChosen}
        onChange={choose}
      />
      <span>
        <strong>{name}</strong>
        {isOpen && <span class="badge warn">shows everything</span>}
        {lacking.length > 0 ? (
          <span class="quiet">Does not let an app {listOf(words)}.</span>
        ) : (
          profile?.description && <span class="quiet">{profile.description}</span>
        )}
      </span>
    </label>
  );
}

/** The number of notes, and five of them as the app would see them. */
function Seen({ asked, profiles, scopes, choice }: Omit<Sight, 'change'>): JSX.Element {
  const reads = scopes.includes('graph:read') || scopes.includes('files:read');
  const settled = useSettled({ choice, scopes });
  const { value, error, reload } = useLoaded(async () => {
    if (!reads) return null;
    const wanted = { schemas: asked.permissions.schemas, scopes: settled.scopes };
    const saved = profiles.get(settled.choice.profileId ?? '');
    const preview = saved
      ? previewOf(saved, wanted)
      : previewOfNew(profileFor(settled.choice.selection, wanted), wanted);
    return { preview: await preview, all: await ownNodes() };
  }, [reads, settled]);
  if (!reads)
    return (
      <div class="seen">
        <p role="status">It reads no notes.</p>
      </div>
    );
  return (
    <div class="seen" aria-live="polite">
      {value === null ? (
        <Loading error={error} reload={error === null ? undefined : reload} />
      ) : (
        <>
          <p>
            <strong>{value.preview.counts.read.toLocaleString('en')}</strong> of {countOf(value.all, 'note')}
          </p>
          {value.preview.counts.read > 0 && (
            <>
              <p class="quiet">As the app would see them:</p>
              <Notes nodes={value.preview.sample.nodes} />
            </>
          )}
        </>
      )}
    </div>
  );
}

async function ownNodes(): Promise<number> {
  const query = { access: 'owned' as const, limit: 1 };
  return (await authorized().GET('/api/v1/nodes', { params: { query } })).data?.total ?? 0;
}
