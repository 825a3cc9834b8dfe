import { type Access, grants } from '../../../privacy/index.js';
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
