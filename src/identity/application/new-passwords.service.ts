import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { CommonPasswords } from '../infrastructure/common-passwords.js';
import { PasswordHasher } from '../infrastructure/password-hasher.js';

/** The person whose password is set. */
export interface PasswordOwner {
  email: string;
  username: string;
}

/** Hashes every new password, so that no endpoint accepts a common one. */
@Injectable()
export class NewPasswords {
  constructor(
    private readonly common: CommonPasswords,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * @param field the field of the body that contained it
   * @throws VALIDATION_ERROR (400)
   */
  async hash(password: string, owner: PasswordOwner, field = 'password'): Promise<string> {
    if (isNameOf(password, owner))
      throw DomainError.validation(field, 'must be neither your e-mail address nor your username');
    if (await this.common.has(password))
      throw DomainError.validation(field, 'is one of the most common passwords; choose another');
    return this.hasher.hash(password);
  }
}

function isNameOf(password: string, { email, username }: PasswordOwner): boolean {
  const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
  return [email, email.split('@')[0] as string, username].some((name) => folded(name) === folded(password));
}
