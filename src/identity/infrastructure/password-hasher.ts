import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { FairPlaces } from '../../kernel/fair-places.js';
import { workerNow } from '../../kernel/slices.js';

/** argon2id with OWASP's first recommendation: 19 MiB, 2 passes, 1 lane. The algorithm is the library's default. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * libuv has 4 threads for everything, files and name look-ups included; a flood of log-ins uses at most half
 * of them.
 */
const CONCURRENT = 2;

/**
 * argon2id (rule 1.2). Persons take turns at the slots, and networks where no person is known yet (rule 1.2i). Work
 * inside a unit of work does not wait for a slot: it holds a connection, and connections are fewer than the requests
 * that may be waiting.
 */
@Injectable()
export class PasswordHasher {
  /** Tests put a smaller one in its place. */
  private readonly cost = COST;
  private readonly slots = new FairPlaces(CONCURRENT);
  private nobodys: Promise<string> | null = null;

  constructor(private readonly units: UnitOfWork) {}

  hash(password: string): Promise<string> {
    return this.inSlot(() => hash(normal(password), this.cost));
  }

  /**
   * True if the password matches the hash. Null means an account that does not exist: the same work is done,
   * so that the time of the answer does not reveal it, and the result is false.
   * @param network the network of a caller who is not known yet
   */
  async verify(passwordHash: string | null, password: string, network?: string): Promise<boolean> {
    const against = passwordHash ?? (await (this.nobodys ??= this.hash(randomBytes(16).toString('hex'))));
    const fits = await this.inSlot(() => verify(against, normal(password)), network);
    return fits && passwordHash !== null;
  }

  /** Makes a placeholder hash ahead, or the first unknown account would take twice as long. */
  async onModuleInit(): Promise<void> {
    await (this.nobodys ??= this.hash(randomBytes(16).toString('hex')));
  }

  private inSlot<T>(work: () => Promise<T>, network?: string): Promise<T> {
    const turn = network === undefined ? workerNow() : `network ${network}`;
    return this.units.isOpen ? work() : this.slots.run(turn, work);
  }
}

/** Keyboards write one letter as one or as several code points (NIST SP 800-63B, 5.1.1.2). */
const normal = (password: string): string => password.normalize('NFKC');
