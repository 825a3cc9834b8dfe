import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { type ProfileRules } from '../domain/profile-rules.js';
import { isSystemSchema } from '../domain/system-schemas.js';
import { type TagVocabulary } from '../domain/tag-vocabulary.js';
import { FREEFORM } from '../domain/visibility.js';
import { idsIn, listsNaming } from '../domain/written-rules.js';
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
    const tags = added('tags').filter((id) => !vocabulary.isLiving(id));
    if (tags.length > 0) throw lost('Tag', after.rules, tags);
    const schemas = added('schemas').filter((id) => !isSchema(id));
    if (schemas.length > 0) throw lost('Schema', after.rules, schemas);
    const nodes = await this.unknownNodes(after.ownerId, added('nodes'));
    if (nodes.length > 0) throw lost('Node', after.rules, nodes);
  }

  private async unknownNodes(ownerId: string, ids: string[]): Promise<string[]> {
    const living = await this.queries.livingNodes(ownerId, ids.filter(isId));
    return ids.filter((id) => !living.has(id));
  }
}

const lost = (kind: 'Tag' | 'Schema' | 'Node', rules: ProfileRules, ids: string[]): DomainError =>
  DomainError.absent(
    kind === 'Node' ? 'NODE_NOT_FOUND' : 'NOT_FOUND',
    `${kind} not found`,
    listsNaming(rules, ids),
  );

/** Whether a profile may name this schema. Ids are in lower case here; the system's schemas are all there are. */
const isSchema = (id: string): boolean => id === FREEFORM || isSystemSchema(id);
