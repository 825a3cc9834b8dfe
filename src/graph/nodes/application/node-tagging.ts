import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { type Access, mayAssignTags } from '../../../privacy/index.js';
import { refuseTooManyTags } from '../domain/node-rules.js';
import { type Node, sameMembers } from '../domain/node.js';
import { discovers, grants, resolveTag } from '../../common/index.js';
import { NodeTagNames, type TagAssignment, TagsService } from '../../tags/index.js';

export interface Rewriting {
  names: readonly string[];
  assignment?: TagAssignment | undefined;
  /**
   * Receives the ids that the node would carry, except for tags not created yet; throws when the write is
   * not permitted.
   */
  permit: (tagIds: readonly string[]) => void;
}

/**
 * Turns the tag names of node bodies into tag ids, under the caller's permissions. Needs a unit of work. Writes of
 * several nodes share one assignment.
 */
@Injectable()
export class NodeTagging {
  constructor(
    private readonly tags: TagsService,
    private readonly tagNames: NodeTagNames,
  ) {}

  /**
   * Locks the owner's tags before nodes are locked by a unit of work that may create tags after that; see
   * {@link TagsService.lock}.
   */
  lock(ownerId: string): Promise<void> {
    return this.tags.lock(ownerId);
  }

  /**
   * Tags of a new node (rule 3.7).
   * @throws PERMISSION_DENIED when a tag is not granted, and for no tags at all without `create.allow_all`
   */
  async ofNew(
    access: Access,
    names: readonly string[],
    assignment = this.tags.assignment(access),
  ): Promise<string[]> {
    return names.length > 0 ? assignment.resolve('create', names) : noTags(access);
  }

  /** The same without waiting; null when tags have to be looked up or created. */
  knownOfNew(access: Access, names: readonly string[], assignment: TagAssignment): string[] | null {
    return names.length > 0 ? assignment.known('create', names) : noTags(access);
  }

  /**
   * Replaces the tags of a node. Callers replace the tags that they may know; all others stay (rules 3.9,
   * 3.17). Deleted tags stay too, even for the owner: nobody is shown them, and they still hide the node
   * (rule 3.11b).
   * @returns null when the tags stay the same, in any order
   * @throws LAST_TAG_REMOVAL when no known tag would be left; PERMISSION_DENIED; VALIDATION_ERROR for too
   * many
   */
  async rewritten(
    guarded: Access,
    node: Node,
    { names, assignment, permit }: Rewriting,
  ): Promise<string[] | null> {
    // The node may carry tags younger than the guard's vocabulary: from this batch, or from another
    // request.
    const access = await this.tagNames.knowing(guarded, node.tagIds);
    const known = node.tagIds.filter((id) => discovers(access, id));
    const unknown = node.tagIds.filter((id) => !known.includes(id));
    if (names.length === 0 && known.length > 0) throw lastTagRemoval();
    const ids = names.map((name) => resolveTag(access, name));
    const kept = ids.filter((id): id is string => id !== null && known.includes(id));
    // Checked before tags are created: an item of a batch that fails must not leave any behind.
    const removed = known.filter((id) => !kept.includes(id));
    if (!removed.every((id) => grants(access.tags.edit, id))) throw forbiddenTag();
    permit([...ids.filter((id) => id !== null), ...unknown]);
    // Tags that the node already has are not assigned by this write, so they need no permission.
    const fresh = names.filter((_, index) => !known.includes(ids[index] ?? ''));
    const assigned =
      fresh.length === 0 ? [] : await (assignment ?? this.tags.assignment(access)).resolve('edit', fresh);
    const written = [...new Set([...kept, ...assigned])];
    refuseTooManyTags(written.length);
    const next = [...written, ...unknown];
    return sameMembers(next, node.tagIds) ? null : next;
  }
}

function noTags(access: Access): string[] {
  if (mayAssignTags(access, 'create', { tagIds: [], newNames: [] })) return [];
  throw new DomainError('PERMISSION_DENIED', 'You may not create nodes without tags');
}

export const lastTagRemoval = (): DomainError =>
  new DomainError(
    'LAST_TAG_REMOVAL',
    'A node keeps at least one tag; to remove the last one, delete the node',
  );

export const forbiddenTag = (): DomainError =>
  new DomainError('PERMISSION_DENIED', 'You may not assign or remove one of these tags');
