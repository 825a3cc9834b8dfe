import { Injectable } from '@nestjs/common';

/** The least length of any password: shorter entries of the list are never needed. */
const SHORTEST = 8;

/** The most common passwords, which attackers try first: some 20,000, from breaches. */
@Injectable()
export class CommonPasswords {
  private list: Promise<ReadonlySet<string>> | null = null;

  async has(password: string): Promise<boolean> {
    this.list ??= load();
    return (await this.list).has(password.normalize('NFKC').toLowerCase());
  }
}

/** Loaded with the first new password, so that it does not delay the start. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= SHORTEST));
}
