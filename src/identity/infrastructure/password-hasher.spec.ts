import { type UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { requestContext } from '../../kernel/request-context.js';
import { PasswordHasher } from './password-hasher.js';

describe('the hashing of passwords', () => {
  const hasher = new PasswordHasher({ isOpen: false } as UnitOfWork);
  let ended: string[];
  beforeEach(() => void (ended = []));

  /** A check of a password for a person, or, before one is known, for a network. */
  const check = async (name: string, network?: string): Promise<void> => {
    const work = (): Promise<boolean> => hasher.verify(null, 'correct horse', network);
    await requestContext.outside(work, network === undefined ? name : undefined);
    ended.push(name);
  };
  const many = (name: string, network?: string) => Array.from({ length: 10 }, () => check(name, network));

  it('a person does not wait for all checks that another person has sent before', async () => {
    await hasher.onModuleInit();
    await Promise.all([...many('mallory'), check('alice')]);
    expect(ended.indexOf('alice')).toBeLessThan(6);
  });

  it('a log-in does not wait for all log-ins that another network has sent before', async () => {
    await hasher.onModuleInit();
    await Promise.all([...many('mallory', '192.0.2.1'), check('alice', '192.0.2.2')]);
    expect(ended.indexOf('alice')).toBeLessThan(6);
  });
});
