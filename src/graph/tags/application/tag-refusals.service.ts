import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { type Access, isConcealedBy, TagUsesQueries } from '../../../privacy/index.js';
import { type Tag, type TagName } from '../domain/tag.js';

/**
 * Keeps apps and members from changing what rules and shares reach by way of the names of tags (rule 3.11e):
 * rules hold tags by their ids, and people choose tags by their names. Owners are not held to this. Needs the
 * lock of the owner's tags.
 */
@Injectable()
export class TagRefusals {
  constructor(private readonly uses: TagUsesQueries) {}

  /**
   * Refuses another name for a tag that a rule or a share names: it would reach what people tag by the new
   * name, and no longer what they tag by the old one.
   * @throws PERMISSION_DENIED
   */
  async refuseRenaming(access: Access, before: Tag, after: Tag): Promise<void> {
    if (access.isOwner || before.name_key === after.name_key) return;
    await this.refuseDeleting(access, [before]);
    if (!(await this.uses.isNamed(access.ownerId, before.id))) return;
    throw new DomainError(
      'PERMISSION_DENIED',
      'Rules or shares of its owner name this tag; only its owner can rename it',
    );
  }

  /**
   * Refuses to delete tags by which rules, of the caller or of others, hide something: what people tag by
   * that name next would be shown.
   * @throws PERMISSION_DENIED
   */
  async refuseDeleting(access: Access, tags: readonly Tag[]): Promise<void> {
    if (access.isOwner) return;
    const ids = tags.map(({ id }) => id);
    const isConcealing =
      ids.some((id) => isConcealedBy(access, id)) || (await this.uses.areConcealing(access.ownerId, ids));
    if (!isConcealing) return;
    throw new DomainError(
      'PERMISSION_DENIED',
      'Rules hide something by this tag; only its owner can rename or delete it',
    );
  }
}

/**
 * Refuses a rename by callers from whom tags may be hidden. Names are unique, so a conflict would reveal a
 * hidden tag (rules 3.7, 4.14).
 * @throws PERMISSION_DENIED
 */
export function refuseUnknowing(access: Access, { name_key }: Tag, { key }: TagName): void {
  if (access.tags.discover.allowAll || key === name_key) return;
  throw new DomainError('PERMISSION_DENIED', 'To rename a tag you need `tags.discover` with `allow_all`');
}
