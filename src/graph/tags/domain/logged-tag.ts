import { type Access, grants, wouldGrant } from '../../../privacy/index.js';
import { endOf, type LoggedThing, type Standing } from '../../common/index.js';
import { type Tag } from './tag.js';

export interface LoggedTag extends LoggedThing {
  tag: Tag;
}

/** @param access null: nothing was visible */
export function standingOfTag(logged: LoggedTag | null, access: Access | null): Standing {
  if (logged === null) return 'absent';
  if (endOf(logged) !== null) return 'deleted';
  return access !== null && grants(access.tags.discover, logged.id) ? 'shown' : 'hidden';
}

/** The standing of the present state, with its end hidden where the tag would be if it lived: nothing may be said of it. */
export function presentStandingOfTag(logged: LoggedTag | null, access: Access): Standing {
  const standing = standingOfTag(logged, access);
  if (logged === null || standing !== 'deleted') return standing;
  return wouldGrant(access.tags.discover, logged.id) ? 'deleted' : 'hidden';
}
