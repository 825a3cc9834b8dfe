import { Injectable } from '@nestjs/common';
import { In, Not, type QueryDeepPartialEntity } from 'typeorm';
import { Config, type Tier } from '../../config/config.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { keysOfAddress } from '../../kernel/mail/address.js';
import { isUniqueViolation } from '../../kernel/database/violations.js';
import { type ConfirmRights } from '../domain/others-rights.js';
import { emailKey, followersRights, type User, usernameKey, userNotFound } from '../domain/user.js';
import { UserEntity, type UserRow } from '../infrastructure/entities.js';
import { MailTokens } from '../infrastructure/mail-tokens.repository.js';
import { NewPasswords } from './new-passwords.service.js';

export interface Registration {
  email: string;
  username: string;
  password: string;
  isPublic?: boolean;
}

export interface ProfileChanges {
  username?: string;
  isPublic?: boolean;
}

/** Accounts of persons (rules 1.1, 1.2, 1.4, 1.13). */
@Injectable()
export class Users {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly passwords: NewPasswords,
    private readonly mailTokens: MailTokens,
  ) {}

  /** @throws EMAIL_EXISTS, USERNAME_EXISTS (409); VALIDATION_ERROR (400) for a common password */
  async register(registration: Registration): Promise<User> {
    return this.add(registration, await this.passwords.hash(registration.password, registration));
  }

  /** Adds a user with a password hash that was made before the unit of work began. @throws as register */
  add(
    { email, username, isPublic = false }: Omit<Registration, 'password'>,
    passwordHash: string,
  ): Promise<User> {
    const now = this.clock.now();
    const user: User = {
      id: newId(),
      email,
      emailVerifiedAt: null,
      username,
      isPublic,
      tier: this.config.defaultTier,
      createdAt: now,
      updatedAt: now,
    };
    const keys = { emailKey: emailKey(email), usernameKey: usernameKey(username) };
    return this.units.run(async () => {
      const users = await this.database.repository(UserEntity);
      await refusingTaken(() => users.insert({ ...user, ...keys, passwordHash }));
      await this.refuseTaken(user.id, email);
      this.changes.bumpPolicyVersion(user.id);
      return user;
    });
  }

  async find(id: string): Promise<User | null> {
    if (!isId(id)) return null;
    return (await this.database.repository(UserEntity)).findOneBy({ id });
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<User> {
    return found(await this.find(id));
  }

  /** Users by id, for the ids that name one; one query for any number of ids. */
  async findAll(ids: readonly string[]): Promise<Map<string, User>> {
    const wanted = [...new Set(ids)].filter(isId);
    if (wanted.length === 0) return new Map();
    const users = await (await this.database.repository(UserEntity)).findBy({ id: In(wanted) });
    return new Map(users.map((user) => [user.id, user]));
  }

  /** Users in the order of their accounts, from one on; called by the operator's command line. */
  async oldest({
    after,
    limit,
  }: {
    after: Pick<User, 'createdAt' | 'id'> | null;
    limit: number;
  }): Promise<User[]> {
    const users = (await this.database.repository(UserEntity)).createQueryBuilder('user');
    if (after)
      users.where('(user.createdAt, user.id) > (:createdAt, :id)', {
        createdAt: after.createdAt,
        id: after.id,
      });
    return users.orderBy({ 'user.createdAt': 'ASC', 'user.id': 'ASC' }).take(limit).getMany();
  }

  /** The user of that name; names differ in more than case (rule 1.2). */
  async findByUsername(username: string): Promise<User | null> {
    return (await this.database.repository(UserEntity)).findOneBy({ usernameKey: usernameKey(username) });
  }

  /**
   * The user and the password's hash, for log-in only. Accounts older than the folding of domains have the
   * key of their spelling, which is looked up first.
   */
  async findByEmail(email: string): Promise<{ user: User; passwordHash: string } | null> {
    const users = await this.database.repository(UserEntity);
    const keys = keysOfAddress(email);
    const rows = await users
      .createQueryBuilder('user')
      .addSelect(['user.passwordHash', 'user.emailKey'])
      .where({ emailKey: In(keys) })
      .getMany();
    const row = keys.map((key) => rows.find((found) => found.emailKey === key)).find(Boolean);
    if (!row) return null;
    const { passwordHash, ...user } = row;
    return { user, passwordHash };
  }

  /** @throws NOT_FOUND, USERNAME_EXISTS (409), and the errors of `confirm` */
  update(id: string, { username, isPublic }: ProfileChanges, confirm: ConfirmRights): Promise<User> {
    return this.units.run(async () => {
      if (isPublic === true) {
        const before = await this.lock(id);
        await confirm(followersRights(before), followersRights({ isPublic }));
      }
      return this.write(id, {
        ...(username === undefined ? {} : { username, usernameKey: usernameKey(username) }),
        ...(isPublic === undefined ? {} : { isPublic }),
      });
    });
  }

  /** Locks a user who is about to be changed, and reads the state that the change replaces. @throws NOT_FOUND */
  private async lock(id: string): Promise<Pick<User, 'isPublic'>> {
    const [user] = await this.database.write<Pick<User, 'isPublic'>>(
      sql`SELECT is_public AS "isPublic" FROM users WHERE id = ${id} FOR NO KEY UPDATE`,
      'user-lock',
    );
    return found(user ?? null);
  }

  /** Called by the operator's command line (rule 1.13). @throws NOT_FOUND */
  setTier(id: string, tier: Tier): Promise<User> {
    return this.write(id, { tier });
  }

  /**
   * Marks the address as the person's: by a link that was sent there, or at the operator's request. @throws
   * NOT_FOUND
   */
  verifyEmail(id: string): Promise<User> {
    return this.write(id, { emailVerifiedAt: this.clock.now() });
  }

  /**
   * Sets the address that the person has just proved to be theirs. Needs a unit of work. @throws EMAIL_EXISTS
   * (409)
   */
  async changeEmail(id: string, email: string): Promise<void> {
    await this.write(id, { email, emailKey: emailKey(email), emailVerifiedAt: this.clock.now() });
    await this.refuseTaken(id, email);
  }

  /**
   * Refuses a taken address, after it was written: an account that gave it up meanwhile has committed by
   * then. Another account was changed away from the address and can return to it for some days, so that a
   * thief cannot block the way; or it has the address in a spelling that was stored before domains were
   * folded.
   * @throws EMAIL_EXISTS (409)
   */
  private async refuseTaken(id: string, email: string): Promise<void> {
    const keys = keysOfAddress(email);
    if (await this.mailTokens.isReserved(keys, { exceptFor: id, now: this.clock.now() })) throw emailTaken();
    if (keys.length === 1) return;
    const users = await this.database.repository(UserEntity);
    if (await users.existsBy({ emailKey: In(keys), id: Not(id) })) throw emailTaken();
  }

  /**
   * Applies the changes and returns the user after them. The hash of a new password comes from
   * {@link NewPasswords}.
   */
  async write(id: string, changes: QueryDeepPartialEntity<UserRow>): Promise<User> {
    return this.units.run(async () => {
      const user = await this.get(id);
      if (Object.keys(changes).length === 0) return user;
      const users = await this.database.repository(UserEntity);
      await refusingTaken(() => users.update({ id }, { ...changes, updatedAt: this.clock.now() }));
      this.changes.bumpPolicyVersion(user.id);
      return this.get(id);
    });
  }
}

function found<T extends object>(user: T | null): T {
  if (!user) throw userNotFound();
  return user;
}

const emailTaken = (): DomainError =>
  new DomainError('EMAIL_EXISTS', 'An account with this e-mail address already exists');

async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw emailTaken();
    if (isUniqueViolation(error, 'users_username_key'))
      throw new DomainError('USERNAME_EXISTS', 'This username is taken');
    throw error;
  }
}
