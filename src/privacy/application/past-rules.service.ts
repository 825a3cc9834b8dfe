import { Injectable } from '@nestjs/common';
import { type RequestedPermissions, requestedPermissionsFrom, type Scope } from '../../identity/index.js';
import { rulesOfSnapshot } from '../domain/exposure-profile.js';
import { type ProfileRules } from '../domain/profile-rules.js';
import { type KnownTag, TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import {
  type PastRecord,
  RuleHistoryQueries,
  type RuleStep,
} from '../infrastructure/rule-history.queries.js';

/** A viewer of one owner's graph; no app: the owner. */
export interface Viewer {
  ownerId: string;
  appId: string | null;
  /** The scopes of an access token, a further bound (rule 14.2b); absent for keys. */
  scopes?: readonly Scope[];
}

/** The terms of an authorization at one moment. */
export interface PastTerms {
  rules: ProfileRules;
  approved: RequestedPermissions;
  /** Both as a text: equal texts mean equal terms. */
  text: string;
  /** The time of the last change of any of them. */
  since: Date;
  expiresAt: Date | null;
}

/** The rules of one viewer after one change of them. */
export interface PastRuleState {
  /** The position of that change; 0: before all. */
  ruled: number;
  vocabulary: TagVocabulary;
  /** The profile of the authorization; null: owners, and apps without one. */
  profileId: string | null;
  /** Null: the same, and an inactive profile. */
  terms: PastTerms | null;
}

/**
 * The rules of one graph at moments of the past, from the change log. The first state is read as a whole, and those
 * after it by the changes alone: an owner may have many tags, and each deletion of a node a moment of its own.
 */
@Injectable()
export class PastRules {
  constructor(private readonly history: RuleHistoryQueries) {}

  /** The state after the change at a position. */
  async at(viewer: Viewer, ruled: number): Promise<PastRuleState> {
    const vocabulary = await TagVocabulary.of(await this.history.tags(viewer.ownerId, ruled));
    return { ruled, vocabulary, ...(await this.termsAt(viewer, ruled)) };
  }

  /** The states at positions that only rise and are not below that of the first state. */
  async *following(
    viewer: Viewer,
    first: PastRuleState,
    positions: readonly number[],
  ): AsyncGenerator<PastRuleState> {
    const upTo = positions.at(-1) ?? first.ruled;
    const steps = this.history.steps(viewer.ownerId, { after: first.ruled, upTo });
    let state = first;
    let step = await steps.next();
    for (const position of positions) {
      const change = new RuleChange(state);
      while (step.done !== true && step.value.sequence <= position) {
        change.add(step.value);
        step = await steps.next();
      }
      if (change.ruled > state.ruled) state = await this.changed(viewer, state, change);
      yield state;
    }
  }

  private async changed(viewer: Viewer, state: PastRuleState, change: RuleChange): Promise<PastRuleState> {
    const { ruled } = change;
    const vocabulary = await state.vocabulary.with([...change.tags.values()]);
    const terms = change.isOfTerms ? await this.termsAt(viewer, ruled) : null;
    return { ...state, ...terms, ruled, vocabulary };
  }

  private async termsAt(
    { ownerId, appId }: Viewer,
    upTo: number,
  ): Promise<Pick<PastRuleState, 'profileId' | 'terms'>> {
    if (appId === null) return { profileId: null, terms: null };
    const authorization = (await this.history.authorizations({ ownerId, appId }, upTo)).find(isLiving);
    if (authorization === undefined) return { profileId: null, terms: null };
    const profileId = authorization.snapshot['exposure_profile_id'] as string;
    const profile = await this.history.profile(ownerId, profileId, upTo);
    if (profile === null || profile.action === 'deleted' || profile.snapshot['is_active'] !== true)
      return { profileId, terms: null };
    const rules = rulesOfSnapshot(profile.snapshot);
    const approved = requestedPermissionsFrom(authorization.snapshot['requested_permissions']);
    const terms = {
      rules,
      approved,
      text: JSON.stringify([rules, approved]),
      since: authorization.since > profile.since ? authorization.since : profile.since,
      expiresAt: dateOf(authorization.snapshot['expires_at']),
    };
    return { profileId, terms };
  }
}

/** Some changes after one state. */
class RuleChange {
  /** The tags that changed, as the last change left each. */
  readonly tags = new Map<string, KnownTag>();
  ruled: number;
  isOfTerms = false;

  constructor(private readonly before: PastRuleState) {
    this.ruled = before.ruled;
  }

  add({ sequence, entity, id, name, deleted, at }: RuleStep): void {
    this.ruled = sequence;
    if (entity === 'tag') {
      const known = this.tags.get(id) ?? this.before.vocabulary.get(id);
      const isAsBefore = known?.name === name && known.deleted === deleted;
      if (!isAsBefore) this.tags.set(id, { id, name: name as string, deleted, since: at });
    } else if (entity === 'authorization' || id === this.before.profileId) this.isOfTerms = true;
  }
}

const isLiving = ({ action, snapshot }: PastRecord): boolean =>
  action !== 'deleted' && (snapshot['revoked_at'] ?? null) === null;

const dateOf = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);
