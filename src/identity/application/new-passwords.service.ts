import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { CommonPasswords } from '../infrastructure/common-passwords.js';
import { PasswordHasher } from '../infrastructure/password-hasher.js';

/** Whose password it is going to be. */
export interface PasswordOwner {
  email: string;
  username: string;
}

/** The one place where a password becomes a hash, so that no way in takes one that anybody would try first. */
@Injectable()
export class NewPasswords {
  constructor(
    private readonly common: CommonPasswords,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * @param field of the body that it came in
   * @throws VALIDATION_ERROR (400)
   */
  async hash(password: string, owner: PasswordOwner, field = 'password'): Promise<string> {
    if (isNameOf(password, owner))
      throw DomainError.validation(field, 'must be neither your e-mail address nor your username');
    if (await this.common.has(password))
      throw DomainError.validation(
        field,
        'is one of the most common passwords, which are tried first; choose another',
      );
    return this.hasher.hash(password);
  }
}

function isNameOf(password: string, { email, username }: PasswordOwner): boolean {
  const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
  return [email, email.split('@')[0] as string, username].some((name) => folded(name) === folded(password));
}
