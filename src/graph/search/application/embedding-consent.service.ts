import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import {
  type Access,
  Accesses,
  type ExposureProfile,
  ExposureProfiles,
  HypotheticalAccesses,
} from '../../../privacy/index.js';
import { EmbeddingQueue } from '../infrastructure/embedding-queue.repository.js';

/** The owner's decision about what may be sent to the service that computes vectors (rule 4.19b). */
@Injectable()
export class EmbeddingConsent {
  constructor(
    private readonly queue: EmbeddingQueue,
    private readonly accesses: Accesses,
    private readonly profiles: ExposureProfiles,
    private readonly hypothetical: HypotheticalAccesses,
  ) {}

  /** The access through the profile, as an app that requests everything has it. Null: the profile is deleted. */
  async accessOf(ownerId: string, profileId: string): Promise<Access | null> {
    const owner = await this.accesses.ofOwner(ownerId);
    const profile = await this.profileOf(ownerId, profileId);
    return profile && (await this.hypothetical.of(owner, profile, null)).access;
  }

  /** True if the owner has switched it on, with a profile that exists and is active. */
  async isGiven(ownerId: string): Promise<boolean> {
    const setting = await this.queue.find(ownerId);
    if (setting === null || setting.profileId === null) return false;
    return (await this.profileOf(ownerId, setting.profileId))?.isActive === true;
  }

  async profileOf(ownerId: string, profileId: string): Promise<ExposureProfile | null> {
    try {
      return await this.profiles.get(ownerId, profileId);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}
