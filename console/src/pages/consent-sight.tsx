import { type JSX } from 'preact';
import { useLoaded, useSettled } from '../hooks.js';
import { Field, Loading } from '../parts/basics.jsx';
import { Samples } from '../parts/samples.jsx';
import { TagPicker, TypePicker } from '../parts/pickers.jsx';
import { describe } from '../profile-words.js';
import {
  isTransparent,
  previewOf,
  previewOfNew,
  profileFor,
  type Profiles,
  type Selection,
  type Wanted,
} from '../profiles.js';
import { authorized } from '../session.js';
import { inOrder, listOf, SCOPES } from '../words.js';

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

/** A profile that can be chosen, with the scopes of the request that it does not grant. */
export interface Option {
  id: string;
  name: string;
  lacks: readonly string[];
}

interface Sight {
  options: readonly Option[];
  wanted: Wanted;
  profiles: Profiles;
  /** The profile by which the app is connected. */
  currentId: string | null;
  choice: Choice;
  change: (choice: Choice) => void;
}

/** The choice of a profile or of a new one, beside the notes that it shows. A heading with the id `what-it-sees` names it. */
export function SightPicker({ options, currentId, choice, change, ...sight }: Sight): JSX.Element {
  return (
    <div class="sight">
      <div>
        <div role="radiogroup" aria-labelledby="what-it-sees">
          {options.map((one) => (
            <ProfileItem
              key={one.id}
              option={one}
              {...sight}
              isCurrent={one.id === currentId}
              isChosen={one.id === choice.profileId}
              choose={() => change({ ...choice, profileId: one.id })}
            />
          ))}
          {NEW_PROFILES.map(({ isAll, title, words }) => (
            <label class="choice" key={title}>
              <input
                type="radio"
                name="profile"
                checked={choice.profileId === null && choice.selection.isAll === isAll}
                onChange={() => change({ profileId: null, selection: { ...choice.selection, isAll } })}
              />
              <span>
                <strong>{title}</strong>
                {isAll && <span class="badge warn">shows everything</span>}
                <span class="quiet">{words}</span>
              </span>
            </label>
          ))}
        </div>
        {choice.profileId === null && <NewProfile choice={choice} change={change} />}
      </div>
      <Seen {...sight} choice={choice} />
    </div>
  );
}

function NewProfile({ choice, change }: Pick<Sight, 'choice' | 'change'>): JSX.Element {
  const { selection } = choice;
  const select = (part: Partial<Selection>): void =>
    change({ ...choice, selection: { ...selection, ...part } });
  return (
    <div class="new-profile">
      {!selection.isAll && <TagPicker chosen={selection.tagIds} change={(tagIds) => select({ tagIds })} />}
      <TypePicker chosen={selection.nodeTypes} change={(nodeTypes) => select({ nodeTypes })} />
      <Field
        label="Name of the new profile"
        value={selection.name}
        maxLength={100}
        required
        onInput={({ currentTarget }) => select({ name: currentTarget.value })}
      />
    </div>
  );
}

interface Item extends Pick<Sight, 'profiles' | 'wanted'> {
  option: Option;
  isCurrent: boolean;
  isChosen: boolean;
  choose: () => void;
}

function ProfileItem({ option, profiles, wanted, isCurrent, isChosen, choose }: Item): JSX.Element {
  const profile = profiles.byId.get(option.id);
  const lacking = inOrder(option.lacks).filter((scope) => wanted.scopes.includes(scope));
  const words = lacking.map((scope) => SCOPES[scope].may.toLowerCase());
  const users = profiles.connected.filter(({ exposure_profile_id: id }) => id === option.id);
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
        <strong>{option.name}</strong>
        {isCurrent && <span class="badge">used now</span>}
        {profile && isTransparent(profile) && <span class="badge warn">shows everything</span>}
        {profile?.description && <span class="quiet">{profile.description}</span>}
        {profile && <span class="quiet">{describe(profile, profiles.tagNames)}</span>}
        {lacking.length > 0 && <span class="quiet">Does not let an app {listOf(words)}.</span>}
        {!isCurrent && users.length > 0 && (
          <span class="quiet">Used by {listOf(users.map(({ client }) => `“${client.name}”`))}.</span>
        )}
      </span>
    </label>
  );
}

/** The number of notes, and five of them as the app would see them. */
function Seen({ wanted, profiles, choice }: Pick<Sight, 'wanted' | 'profiles' | 'choice'>): JSX.Element {
  const reads = wanted.scopes.includes('graph:read') || wanted.scopes.includes('files:read');
  const settled = useSettled({ choice, wanted });
  const { value, error, reload } = useLoaded(async () => {
    if (!reads) return null;
    const saved = profiles.byId.get(settled.choice.profileId ?? '');
    const preview = saved
      ? previewOf(saved, settled.wanted)
      : previewOfNew(profileFor(settled.choice.selection, settled.wanted), settled.wanted);
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
        <Samples read={value.preview.counts.read} all={value.all} nodes={value.preview.sample.nodes} />
      )}
    </div>
  );
}

async function ownNodes(): Promise<number> {
  const query = { access: 'owned' as const, limit: 1 };
  return (await authorized().GET('/api/v1/nodes', { params: { query } })).data?.total ?? 0;
}
