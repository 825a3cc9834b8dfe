import { Injectable } from '@nestjs/common';

/** Below this no password is taken at all. */
const SHORTEST = 8;

/** The passwords that most people choose, and so the first that are tried: some 20,000, from breaches. */
@Injectable()
export class CommonPasswords {
  private list: Promise<ReadonlySet<string>> | null = null;

  async has(password: string): Promise<boolean> {
    this.list ??= load();
    return (await this.list).has(password.normalize('NFKC').toLowerCase());
  }
}

/** Loaded with the first password that is chosen: it is no part of the start. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= SHORTEST));
}
