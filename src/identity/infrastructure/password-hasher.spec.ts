import { type UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { PasswordHasher } from './password-hasher.js';

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher({ isOpen: false } as UnitOfWork);

  it('hashes at the cost that OWASP recommends (rule 1.2)', async () => {
    expect(await hasher.hash('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('knows a password in whatever code points a keyboard writes it (rule 1.2)', async () => {
    const stored = await hasher.hash('é long password');
    expect(await hasher.verify(stored, 'e\u0301 long password')).toBe(true);
    expect(await hasher.verify(stored, 'e long password')).toBe(false);
    expect(await hasher.verify(null, 'e long password')).toBe(false);
  });
});
