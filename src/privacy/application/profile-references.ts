import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { type ProfileRules } from '../domain/profile-rules.js';
import { type TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import { FREEFORM } from '../domain/visibility.js';
import { idsIn, listsNaming } from '../domain/written-rules.js';
import { VocabularyQueries } from '../infrastructure/vocabulary.queries.js';

/**
 * Checks that the ids in a profile are the owner's own. Unknown, foreign and malformed ones answer alike
 * (rules 3.18, 11). Ids that the profile already named may stay, so that a profile that was read can be
 * written back although one of its tags or nodes has been deleted meanwhile.
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
    const tags = added('tags').filter((id) => !vocabulary.isLiving(id));
    if (tags.length > 0) throw lost('Tag', after.rules, tags);
    const schemas = await this.unknownSchemas(after.ownerId, added('schemas'));
    if (schemas.length > 0) throw lost('Schema', after.rules, schemas);
    const nodes = await this.unknownNodes(after.ownerId, added('nodes'));
    if (nodes.length > 0) throw lost('Node', after.rules, nodes);
  }

  private async unknownNodes(ownerId: string, ids: string[]): Promise<string[]> {
    const living = await this.queries.livingNodes(ownerId, ids.filter(isId));
    return ids.filter((id) => !living.has(id));
  }

  private async unknownSchemas(ownerId: string, ids: string[]): Promise<string[]> {
    const named = ids.filter((id) => id !== FREEFORM);
    const known = await this.queries.visibleSchemas(ownerId, named.filter(isId));
    return named.filter((id) => !known.has(id));
  }
}

const lost = (kind: 'Tag' | 'Schema' | 'Node', rules: ProfileRules, ids: string[]): DomainError =>
  DomainError.absent(
    kind === 'Node' ? 'NODE_NOT_FOUND' : 'NOT_FOUND',
    `${kind} not found`,
    listsNaming(rules, ids),
  );
