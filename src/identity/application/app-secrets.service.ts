import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { hashOfSecret, isKeyText } from '../domain/key-text.js';
import { CredentialQueries } from '../infrastructure/credentials.queries.js';

/** The app keys of an app as its client secrets (rule 14.3d). */
@Injectable()
export class AppSecrets {
  constructor(
    private readonly queries: CredentialQueries,
    private readonly clock: Clock,
  ) {}

  /** True for a living app key of that app; the key of one user is no secret of the app. */
  async isSecretOf(appId: string, text: string): Promise<boolean> {
    if (!isKeyText(text)) return false;
    const found = await this.queries.findKey(hashOfSecret(text));
    if (found?.app.id !== appId || found.key.userId !== null) return false;
    return found.key.expiresAt === null || found.key.expiresAt > this.clock.now();
  }
}
