import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded, useWork } from '../hooks.js';
import { consentRequest, type ConsentRequest, decide } from '../oauth.js';
import { Loading, Page, Problem } from '../parts/basics.jsx';
import { withProof } from '../parts/proof.jsx';
import { allProfiles, isTransparent, profileFor, type Profiles } from '../profiles.js';
import { onSession } from '../session.js';
import { countOf, inDays, inOrder, type Scope, SCOPES } from '../words.js';
import { HowLong, lengthsOf } from './consent-length.jsx';
import { type Choice, isReady, SightPicker } from './consent-sight.jsx';
import { WhatItMayDo } from './consent-verbs.jsx';
import { WhoAsks } from './consent-who.jsx';

type Decision = 'allow' | 'deny';

interface Asked {
  asked: ConsentRequest;
  profiles: Profiles;
}

async function ask(request: string): Promise<Asked> {
  const [asked, profiles] = await Promise.all([consentRequest(request), allProfiles()]);
  return { asked, profiles };
}

/** The data of the page, on the way before the page knows its person. They are of the session that asked. */
let early: { request: string; asked: Promise<Asked> } | null = null;
onSession(({ kind }) => {
  if (kind === 'outside') early = null;
});

/** Fetches the data of the page in advance. */
export function prepareConsent(request: string): void {
  early = { request, asked: ask(request) };
  // The page reports it.
  early.asked.catch(() => undefined);
}

/** The data that were fetched in advance, once, or new ones. */
function prepared(request: string): Promise<Asked> {
  const asked = early?.request === request ? early.asked : ask(request);
  early = null;
  return asked;
}

export function Consent({ request }: { request: string | null }): JSX.Element {
  const { value, error, reload } = useLoaded<Asked | null>(
    async () => (request === null ? null : prepared(request)),
    [request],
  );
  const [done, setDone] = useState<Decision | null>(null);
  if (request === null)
    return (
      <Page title="Nothing to decide" narrow>
        <p>This page needs a request of an app. Connecting begins in the app.</p>
      </Page>
    );
  if (value === null)
    return (
      <Page title="An app asks for access" narrow>
        <Loading error={error} reload={reload} />
      </Page>
    );
  if (done !== null) return <Done decision={done} name={value.asked.client.name} />;
  return <Question {...value} request={request} done={setDone} />;
}

/** The end for a device, which learns the answer by itself: no page of an app follows. */
function Done({ decision, name }: { decision: Decision; name: string }): JSX.Element {
  return decision === 'allow' ? (
    <Page title="Your device is connected" narrow>
      <p role="status">“{name}” can go on now. You can close this page.</p>
    </Page>
  ) : (
    <Page title="Your device is not connected" narrow>
      <p role="status">“{name}” gets nothing. You can close this page.</p>
    </Page>
  );
}

/** The scopes that are checked at first: the fixed ones, and of the others those that change nothing by themselves. */
const checkedAtFirst = ({ scopes }: ConsentRequest): Scope[] =>
  inOrder(scopes.map(({ scope }) => scope)).filter(
    (scope) => !SCOPES[scope].isWrite || scopes.some((each) => each.scope === scope && each.required),
  );

/**
 * The profile by which this app is connected already, if it suffices. Others may be for other apps, so the person
 * chooses; one that shows everything is never chosen for the person.
 */
function chosenAtFirst({ asked, profiles }: Asked, scopes: readonly Scope[]): string | null {
  const profile = profiles.byId.get(asked.existing?.exposure_profile?.id ?? '');
  if (profile === undefined || isTransparent(profile)) return null;
  return lacksOf(asked, profile.id, scopes).length === 0 ? profile.id : null;
}

function Question({
  asked,
  profiles,
  request,
  done,
}: Asked & { request: string; done: (decision: Decision) => void }): JSX.Element {
  const [scopes, setScopes] = useState<Scope[]>(() => checkedAtFirst(asked));
  const [choice, setChoice] = useState<Choice>(() => ({
    profileId: chosenAtFirst({ asked, profiles }, checkedAtFirst(asked)),
    selection: { name: `For ${asked.client.name}`.slice(0, 100), isAll: false, tagIds: [], nodeTypes: [] },
  }));
  const lengths = lengthsOf(asked.expires_in_days);
  const [days, setDays] = useState<number | null>(lengths[0]?.days ?? null);
  const { isBusy, error, run } = useWork();
  const lacking = choice.profileId === null ? [] : lacksOf(asked, choice.profileId, scopes);
  const canAllow = scopes.length > 0 && lacking.length === 0 && isReady(choice);
  const answer = (decision: Decision): void =>
    void run(async () => {
      const terms = {
        scopes,
        expires_at: days === null ? null : inDays(days),
        ...sightOf(asked, choice, scopes),
      };
      const body = { request, decision, ...(decision === 'allow' ? terms : {}) };
      const redirect = await withProof(() => decide(body));
      if (redirect !== null) location.assign(redirect);
      else done(decision);
    });
  return (
    <Page title={`Let “${asked.client.name}” use your graph?`}>
      <WhoAsks asked={asked} connected={profiles.connected} />
      <WhatItMayDo asked={asked} checked={scopes} change={setScopes} />
      <section class="card">
        <h2 id="what-it-sees">What it may see</h2>
        <SightPicker
          options={asked.profiles}
          wanted={{ schemas: asked.permissions.schemas, scopes }}
          profiles={profiles}
          currentId={asked.existing?.exposure_profile?.id ?? null}
          choice={choice}
          change={setChoice}
        />
      </section>
      <HowLong asked={asked} days={days} change={setDays} />
      <div class="answer">
        <p class="quiet">You can change or end this at any time under “Connected apps”.</p>
        <Problem text={error} />
        {!canAllow && (
          <p id="why-not" class="hint">
            {whyNot(scopes, choice, lacking)}
          </p>
        )}
        <div class="pair" aria-busy={isBusy}>
          <button type="button" class="button" onClick={() => answer('deny')}>
            Deny
          </button>
          <button
            type="button"
            class="button"
            aria-disabled={!canAllow}
            aria-describedby={canAllow ? undefined : 'why-not'}
            onClick={() => canAllow && answer('allow')}
          >
            Allow
          </button>
        </div>
      </div>
    </Page>
  );
}

const lacksOf = (asked: ConsentRequest, profileId: string, scopes: readonly Scope[]): Scope[] =>
  inOrder(asked.profiles.find(({ id }) => id === profileId)?.lacks ?? []).filter((scope) =>
    scopes.includes(scope),
  );

const sightOf = (
  { permissions: { schemas } }: ConsentRequest,
  { profileId, selection }: Choice,
  scopes: readonly Scope[],
) =>
  profileId === null
    ? { new_profile: profileFor(selection, { schemas, scopes }) }
    : { exposure_profile_id: profileId };

function whyNot(scopes: readonly Scope[], choice: Choice, lacking: readonly Scope[]): string {
  if (scopes.length === 0) return 'To allow it, leave at least one thing that it may do.';
  if (lacking.length > 0)
    return `The chosen profile does not let an app do ${countOf(lacking.length, 'thing')} that you left checked. Choose another one, or take the check away.`;
  return choice.selection.name.trim() === ''
    ? 'To allow it, give the new profile a name.'
    : 'To allow it, choose at least one tag for the new profile, or all your notes.';
}
