import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { type ProfileRules } from '../domain/profile-rules.js';
import { type TagVocabulary } from '../domain/tag-vocabulary.js';
import { FREEFORM } from '../domain/visibility.js';
import { idsIn } from '../domain/written-rules.js';
import { VocabularyQueries } from '../infrastructure/vocabulary.queries.js';

/**
 * The ids in a profile must be the owner's own. Unknown, foreign and malformed ones answer alike (decisions 3.18,
 * 11). What the profile named before may stay, so that a profile that was read can be written back although a tag
 * or node in it has been deleted meanwhile.
 */
@Injectable()
export class ProfileReferences {
  constructor(private readonly queries: VocabularyQueries) {}

  /** @throws NOT_FOUND for a tag or schema, NODE_NOT_FOUND for a node */
  async refuseUnknown(
    after: ExposureProfile,
    before: ProfileRules | null,
    vocabulary: TagVocabulary,
  ): Promise<void> {
    const named = idsIn(after.rules);
    const carried = before === null ? null : idsIn(before);
    const added = (kind: 'tags' | 'nodes' | 'schemas'): string[] => {
      const old = new Set(carried?.[kind]);
      return named[kind].filter((id) => !old.has(id));
    };
    if (added('tags').some((id) => !vocabulary.isLiving(id)))
      throw new DomainError('NOT_FOUND', 'Tag not found');
    await this.refuseUnknownSchemas(after.ownerId, added('schemas'));
    await this.refuseUnknownNodes(after.ownerId, added('nodes'));
  }

  private async refuseUnknownNodes(ownerId: string, ids: string[]): Promise<void> {
    const living = await this.queries.livingNodes(ownerId, ids.filter(isId));
    if (ids.some((id) => !living.has(id))) throw new DomainError('NODE_NOT_FOUND', 'Node not found');
  }

  private async refuseUnknownSchemas(ownerId: string, ids: string[]): Promise<void> {
    const named = ids.filter((id) => id !== FREEFORM);
    const known = await this.queries.visibleSchemas(ownerId, named.filter(isId));
    if (named.some((id) => !known.has(id))) throw new DomainError('NOT_FOUND', 'Schema not found');
  }
}
