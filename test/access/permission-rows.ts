import { type Granted, type Requested, type Who } from './table-world.js';

/**
 * The caller, the requested and granted permissions of an app, the endpoint, and the answers for an existing and for an
 * absent thing.
 */
export type Row = [
  who: Who,
  requested: Requested,
  granted: Granted,
  endpoint: string,
  present: string,
  absent: string | null,
  body?: object,
];

export const EVERYTHING = 'discover read propose create edit write delete files';
export const FULL: Granted = {
  discover: 'all',
  read: 'all',
  propose: 'all',
  edit: 'all',
  create: 'all',
  delete: 'all',
};
export const readAll: Granted = { read: 'all' };
export const readWork: Granted = { read: 'work' };
export const GONE = '404 NODE_NOT_FOUND';
export const NONE = '404 NOT_FOUND';
export const DENIED = '403 PERMISSION_DENIED';
export const STRANGE = '401 UNAUTHORIZED';
export const NEW = { title: 'new', node_type: 'note' };
