import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, ExposureProfiles, profileNotFound } from '../../../privacy/index.js';
import { EmbeddingCounts } from '../infrastructure/embedding-counts.queries.js';
import { EmbeddingQueue } from '../infrastructure/embedding-queue.repository.js';
import { EmbeddingsClient } from '../infrastructure/embeddings-client.js';
import { EmbeddingConsent } from './embedding-consent.service.js';

export const EMBEDDING_STATES = ['off', 'removing', 'working', 'up_to_date'] as const;

/** An owner's setting, and the service that the operator has set. */
export interface EmbeddingState {
  profileId: string | null;
  state: (typeof EMBEDDING_STATES)[number];
  vectors: number;
  /** Null: the operator has set none. */
  service: { host: string; model: string } | null;
}

/** The owner's setting: off, or the profile that decides which texts may be sent (rule 4.19b). */
@Injectable()
export class EmbeddingSettings {
  constructor(
    private readonly queue: EmbeddingQueue,
    private readonly counts: EmbeddingCounts,
    private readonly consent: EmbeddingConsent,
    private readonly client: EmbeddingsClient,
    private readonly profiles: ExposureProfiles,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async of({ ownerId }: Access): Promise<EmbeddingState> {
    const { settings } = this.client;
    const service = settings && { host: new URL(settings.url).host, model: settings.model };
    const setting = await this.queue.find(ownerId);
    if (setting === null) return { profileId: null, state: 'off', vectors: 0, service };
    const vectors = await this.counts.countVectors(ownerId);
    const { profileId, isComplete } = setting;
    const isOn = profileId !== null && (await this.consent.profileOf(ownerId, profileId)) !== null;
    if (!isOn) return { profileId: null, state: 'removing', vectors, service };
    return { profileId, state: isComplete ? 'up_to_date' : 'working', vectors, service };
  }

  /**
   * @param profileId null: switched off, whether or not there is a service
   * @throws EMBEDDINGS_NOT_CONFIGURED, NOT_FOUND for the profile
   */
  async set(access: Access, profileId: string | null): Promise<EmbeddingState> {
    const { ownerId } = access;
    if (profileId !== null && this.client.settings === null)
      throw new DomainError(
        'EMBEDDINGS_NOT_CONFIGURED',
        'The operator has set no service that computes vectors; `profile_id` can only be null',
      );
    await this.units.run(async () => {
      const now = this.clock.now();
      if (profileId === null) return this.queue.switchOff(ownerId, now);
      if (!isId(profileId) || (await this.profiles.lock(ownerId, profileId)) === null)
        throw profileNotFound(['profile_id']);
      await this.queue.switchOn(ownerId, profileId, now);
    });
    return this.of(access);
  }
}
