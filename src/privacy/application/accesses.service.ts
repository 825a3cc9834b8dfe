import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AppCaller, Apps } from '../../identity/index.js';
import { OwnerCounters, type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Actor } from '../../kernel/request-context.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type Access } from '../domain/access.js';
import { appAccess, ownerAccess } from '../domain/access-of.js';
import { notAuthorized } from '../domain/authorization.js';
import { ceilingOf, lowerCeiling, withinScopes } from '../domain/ceiling.js';
import { pseudonymKeyOf } from '../domain/exposure/pseudonym.js';
import { type TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import { AccessQueries } from '../infrastructure/access.queries.js';

/** A decision, and the counters of all its inputs as they stood before it was made. */
interface Decision {
  readonly ownerPolicy: number;
  readonly appPolicy: number;
  /** Null: denied. */
  access: Access | null;
  /** Milliseconds; compared on each request, for time changes without a write. */
  readonly expiresAt: number | null;
  /** An estimate of the memory that the decision takes. */
  readonly bytes: number;
}

interface CountersById {
  owner: CounterValues;
  appPolicy: number;
}

interface KnownVocabulary {
  policy: number;
  vocabulary: TagVocabulary;
}

const MAX_DECISIONS = 20_000;
const MIB = 1024 * 1024;
/**
 * The bound of all remembered decisions and vocabularies. Beyond it the least recently used ones are dropped.
 */
const MAX_BYTES = 64 * MIB;
/** The size of an empty decision or vocabulary. */
const LEAST_BYTES = 1024;
const BEGINNING: CounterValues = { changes: 0, policy: 0 };

/**
 * Makes Access. A decision for a key and a user is valid while the counters of the owner and of the app do
 * not move: a change of anything that it was made from (profile, authorization, tags, app, key, user) raises
 * one of them in its own transaction, and every request reads the counters again (rule 2.8). Otherwise one
 * statement loads it.
 */
@Injectable()
export class Accesses {
  private readonly decisions = new LRUCache<string, Decision>({
    max: MAX_DECISIONS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  private readonly deciding = new Map<string, Promise<Decision>>();
  private readonly vocabularies = new LRUCache<string, KnownVocabulary>({
    max: MAX_DECISIONS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ vocabulary }) => vocabulary.bytes + LEAST_BYTES,
  });

  constructor(
    private readonly queries: AccessQueries,
    private readonly counters: OwnerCounters,
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
    private readonly apps: Apps,
  ) {}

  /** The access of a user to their own graph. */
  async ofUser(userId: string, stamps: ReadonlyMap<string, CounterValues>): Promise<Access> {
    const stamp = stamps.get(userId) ?? BEGINNING;
    const vocabulary = this.recallVocabulary(userId, stamp) ?? (await this.loadVocabulary(userId, stamp));
    return ownerAccess({
      ownerId: userId,
      vocabulary,
      key: `owner ${userId} ${stamp.policy}`,
      changes: stamp.changes,
      policy: stamp.policy,
    });
  }

  /** The owner's own access for work outside of requests, attributed to the given actor. */
  async ofOwner(ownerId: string, actor?: Actor): Promise<Access> {
    const access = await this.ofUser(ownerId, await this.counters.current([ownerId]));
    return actor ? { ...access, actor } : access;
  }

  /**
   * The access of an app acting for a user. The app's counter is always the one that `caller.app` was read
   * with: under a newer one the decision would outlive the permissions that the app no longer requests.
   * @param ownerStamp the owner's counters, where they were not read with the caller's
   * @throws PERMISSION_DENIED, the same for everything that can be missing (rules 1.8, 2.9)
   */
  async ofApp(
    caller: AppCaller,
    ownerId: string,
    ownerStamp: CounterValues | undefined = caller.stamps.get(ownerId),
  ): Promise<Access> {
    const owner = ownerStamp ?? BEGINNING;
    const { policy: appPolicy } = caller.stamps.get(caller.app.id) ?? BEGINNING;
    const name = [caller.keyId, ownerId, caller.boundAuthorizationId, ...(caller.token?.scopes ?? [])].join(
      ' ',
    );
    let decision = this.decisions.get(name);
    if (decision === undefined || decision.ownerPolicy !== owner.policy || decision.appPolicy !== appPolicy) {
      decision = await this.decideOnce(name, { owner, appPolicy }, () =>
        this.decide(caller, ownerId, { owner, appPolicy }),
      );
    }
    const { access, expiresAt } = decision;
    if (access === null || (expiresAt !== null && expiresAt <= this.clock.now().getTime()))
      throw notAuthorized();
    if (access.changes === owner.changes) return access;
    return (decision.access = { ...access, changes: owner.changes });
  }

  /** The access of an app to what is sent to it outside of its requests. Null when no access is granted. */
  async ofAbsentApp(appId: string, ownerId: string): Promise<Access | null> {
    // Counters are read before the app: under newer ones the decision would outlive its inputs.
    const stamps = await this.counters.current([appId, ownerId]);
    const app = await this.apps.find(appId);
    if (!app?.isActive) return null;
    const caller: AppCaller = {
      kind: 'app',
      app,
      keyId: `absent ${appId}`,
      userId: ownerId,
      boundAuthorizationId: null,
      stamps,
    };
    try {
      return await this.ofApp(caller, ownerId);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'PERMISSION_DENIED') return null;
      throw error;
    }
  }

  /** Concurrent requests with the same counters share one statement. */
  private decideOnce(name: string, stamps: CountersById, decide: () => Promise<Decision>): Promise<Decision> {
    const key = `${name} ${stamps.owner.policy} ${stamps.appPolicy}`;
    const running = this.deciding.get(key);
    if (running) return running;
    const deciding = decide()
      .then((decision) => {
        this.decisions.set(name, decision);
        return decision;
      })
      .finally(() => this.deciding.delete(key));
    this.deciding.set(key, deciding);
    return deciding;
  }

  private async decide(
    caller: AppCaller,
    ownerId: string,
    { owner, appPolicy }: CountersById,
  ): Promise<Decision> {
    const { app, boundAuthorizationId } = caller;
    const found = await this.queries.policy(
      { ownerId, appId: app.id },
      this.recallVocabulary(ownerId, owner),
      owner.policy,
    );
    const denial: Decision = {
      ownerPolicy: owner.policy,
      appPolicy,
      access: null,
      expiresAt: null,
      bytes: LEAST_BYTES,
    };
    if (found === null) return denial;
    const { policy, vocabulary } = found;
    this.vocabularies.set(ownerId, { policy: owner.policy, vocabulary });
    const isBoundElsewhere = boundAuthorizationId !== null && boundAuthorizationId !== policy.authorizationId;
    if (!policy.isActive || isBoundElsewhere) return denial;
    const isUserKey = boundAuthorizationId !== null;
    const by = caller.token?.scopes.join('+') ?? (isUserKey ? 'user key' : 'app');
    const key = `${by} ${policy.authorizationId} ${owner.policy} ${appPolicy}`;
    const access = appAccess(
      { ownerId, vocabulary, key, changes: owner.changes, policy: owner.policy },
      {
        appId: app.id,
        appName: app.name,
        authorizationId: policy.authorizationId,
        isUserKey,
        profile: policy,
        ceiling: withinScopes(
          lowerCeiling(ceilingOf(policy.approved), ceilingOf(app.requestedPermissions)),
          caller.token?.scopes,
        ),
        pseudonymKey: pseudonymKeyOf(this.secret.bytes, app.id, ownerId),
      },
    );
    // Lists of a rule are sets in the decision and take about three times their text.
    const bytesOfRules = 3 * JSON.stringify(policy.rules).length + access.exposure.bytes;
    const bytes = LEAST_BYTES + vocabulary.bytes + bytesOfRules;
    return { ...denial, access, expiresAt: policy.expiresAt?.getTime() ?? null, bytes };
  }

  /** The tags of an owner or a group, as of these counters or later. */
  async vocabularyOf(ownerId: string, stamp: CounterValues = BEGINNING): Promise<TagVocabulary> {
    return this.recallVocabulary(ownerId, stamp) ?? this.loadVocabulary(ownerId, stamp);
  }

  /** The key of the pseudonyms that one viewer is shown in one owner's nodes. */
  pseudonymKey(viewerId: string, ownerId: string): string {
    return pseudonymKeyOf(this.secret.bytes, viewerId, ownerId);
  }

  private recallVocabulary(ownerId: string, { policy }: CounterValues): TagVocabulary | null {
    const known = this.vocabularies.get(ownerId);
    return known?.policy === policy ? known.vocabulary : null;
  }

  private async loadVocabulary(ownerId: string, { policy }: CounterValues): Promise<TagVocabulary> {
    const vocabulary = await this.queries.vocabulary(ownerId, policy);
    this.vocabularies.set(ownerId, { policy, vocabulary });
    return vocabulary;
  }
}
