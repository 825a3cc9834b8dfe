import { isOneType } from './visibility-worlds.js';

/**
 * Rules 3.1-3.11 again, written from their text alone and as plainly: no expression, nothing prepared, one
 * node and one verb at a time. Shares no code with the service.
 */
export interface NaiveNode {
  id: string;
  tagIds: readonly string[];
  schemaId: string | null;
  nodeType: string;
  createdAt: Date;
}

export interface NaiveTag {
  id: string;
  name: string;
  deleted: boolean;
}

export type NaiveExpression = { op: 'AND' | 'OR'; conditions: (NaiveExpression | { tag: string })[] };
interface NaiveGrant {
  tag_ids: string[];
  allow_all: boolean;
}
interface NaiveSchemas {
  schema_ids: string[];
  allow_all: boolean;
}

export interface NaiveProfile {
  tag_permissions: { read: NaiveGrant; propose: NaiveGrant; edit: NaiveGrant; delete?: NaiveGrant };
  schema_permissions: { read: NaiveSchemas; write: NaiveSchemas };
  tag_filters: { include_all: string[]; include_any: string[]; exclude_any: string[] };
  tag_expression: NaiveExpression | null;
  allowed_tag_ids: string[];
  excluded_tag_ids: string[];
  allowed_tags_logic: 'OR' | 'AND';
  allowed_node_ids: string[];
  allowed_node_types: string[];
  excluded_node_types: string[];
  date_range_start: Date | null;
  date_range_end: Date | null;
}

export interface NaiveRequest {
  tags: { read: boolean; propose: boolean; edit: boolean; write: boolean; delete?: boolean };
  files: { read: boolean };
  schemas: { read: NaiveSchemas; write: NaiveSchemas };
}

export type NaiveEvent =
  | { kind: 'made'; id: string; name: string }
  | { kind: 'renamed'; id: string; name: string }
  | { kind: 'deleted'; id: string };

export type NaiveVerb = 'read' | 'propose' | 'edit' | 'delete';

/** The meaning of a profile's names, from the moment it was saved through all later events of tags. */
export class NaiveMeaning {
  readonly tags: Map<string, NaiveTag>;
  private readonly meant = new Map<string, string | null>();
  readonly excluded = new Set<string>();
  private readonly waiting = new Set<string>();

  constructor(profile: NaiveProfile, tags: readonly NaiveTag[]) {
    this.tags = new Map(tags.map((tag) => [tag.id, { ...tag }]));
    for (const name of namesOf(profile)) {
      const living = tags.find((tag) => !tag.deleted && same(tag.name, name));
      this.meant.set(name, living ? living.id : null);
    }
    for (const name of profile.tag_filters.exclude_any) {
      const bearers = tags.filter((tag) => same(tag.name, name));
      for (const tag of bearers) this.excluded.add(tag.id);
      if (!bearers.some((tag) => !tag.deleted) || bearers.some((tag) => tag.deleted))
        this.waiting.add(key(name));
    }
  }

  happened(event: NaiveEvent): void {
    if (event.kind === 'deleted') {
      const tag = this.tags.get(event.id) as NaiveTag;
      tag.deleted = true;
      // From now on the name excludes, as if it had been written while no living tag had it.
      if (this.excluded.has(tag.id)) {
        this.waiting.add(key(tag.name));
        for (const other of this.tags.values()) if (same(other.name, tag.name)) this.excluded.add(other.id);
      }
      return;
    }
    this.tags.set(event.id, { id: event.id, name: event.name, deleted: false });
    if (this.waiting.has(key(event.name))) this.excluded.add(event.id);
  }

  isLiving(id: string): boolean {
    return this.tags.get(id)?.deleted === false;
  }

  /** The living tag that the name meant when the profile was saved. */
  idOf(name: string): string | null {
    const id = this.meant.get(name) ?? null;
    return id !== null && this.isLiving(id) ? id : null;
  }
}

export function naivelyAllows(
  verb: NaiveVerb,
  node: NaiveNode,
  { profile, meaning, requests }: { profile: NaiveProfile; meaning: NaiveMeaning; requests: NaiveRequest[] },
): boolean {
  const asked = (which: NaiveVerb): boolean => requests.every((request) => isRequested(request, which));
  const schema = node.schemaId === null ? '__freeform__' : node.schemaId;
  const inSchemas = (kind: 'read' | 'write'): boolean =>
    [profile.schema_permissions[kind], ...requests.map((request) => request.schemas[kind])].every(
      (given) => given.allow_all || given.schema_ids.includes(schema),
    );
  const isGranted = (grant: NaiveGrant): boolean =>
    grant.allow_all || node.tagIds.some((id) => grant.tag_ids.includes(id) && meaning.isLiving(id));

  const isFile = node.schemaId === '00000000-0000-7000-8000-000000000001';
  const mayReadFiles = isFile && requests.every((request) => request.tags.read || request.files.read);
  if (!asked('read') && !mayReadFiles) return false;
  if (isExcluded(node, profile, meaning)) return false;
  if (!inSchemas('read')) return false;
  const passes = passesFilters(node, profile, meaning);
  const isReadable =
    profile.allowed_node_ids.includes(node.id) || (isGranted(profile.tag_permissions.read) && passes);
  if (!isReadable) return false;
  if (verb === 'read') return true;

  if (!asked(verb)) return false;
  if (!inSchemas('write')) return false;
  if (!passes) return false;
  const { propose, edit, delete: deleting } = profile.tag_permissions;
  if (verb === 'propose') return isGranted(propose);
  if (verb === 'edit') return isGranted(edit);
  return isGranted(deleting === undefined ? edit : deleting);
}

function isRequested({ tags }: NaiveRequest, verb: NaiveVerb): boolean {
  if (verb === 'read') return tags.read;
  if (verb === 'propose') return tags.propose;
  const edits = tags.edit || tags.write;
  if (verb === 'edit') return edits;
  return tags.delete === undefined ? edits : tags.delete;
}

function isExcluded(node: NaiveNode, profile: NaiveProfile, meaning: NaiveMeaning): boolean {
  if (isOneType(profile.excluded_node_types, node.nodeType)) return true;
  return node.tagIds.some((id) => meaning.excluded.has(id) || profile.excluded_tag_ids.includes(id));
}

function passesFilters(node: NaiveNode, profile: NaiveProfile, meaning: NaiveMeaning): boolean {
  const carries = (name: string): boolean => {
    const id = meaning.idOf(name);
    return id !== null && node.tagIds.includes(id);
  };
  const carriesId = (id: string): boolean => meaning.isLiving(id) && node.tagIds.includes(id);
  const { include_all, include_any } = profile.tag_filters;
  if (include_all.length > 0 && !include_all.every(carries)) return false;
  if (include_any.length > 0 && !include_any.some(carries)) return false;
  if (profile.tag_expression !== null && !holds(profile.tag_expression, carries)) return false;
  if (profile.allowed_tag_ids.length > 0) {
    const isAllowed =
      profile.allowed_tags_logic === 'AND'
        ? profile.allowed_tag_ids.every(carriesId)
        : profile.allowed_tag_ids.some(carriesId);
    if (!isAllowed) return false;
  }
  if (profile.allowed_node_types.length > 0 && !isOneType(profile.allowed_node_types, node.nodeType))
    return false;
  if (profile.date_range_start !== null && node.createdAt.getTime() < profile.date_range_start.getTime())
    return false;
  if (profile.date_range_end !== null && node.createdAt.getTime() > profile.date_range_end.getTime())
    return false;
  return true;
}

function holds(expression: NaiveExpression, carries: (name: string) => boolean): boolean {
  const results = expression.conditions.map((part) =>
    'tag' in part ? carries(part.tag) : holds(part, carries),
  );
  return expression.op === 'AND' ? !results.includes(false) : results.includes(true);
}

function namesOf({ tag_filters, tag_expression }: NaiveProfile): string[] {
  const leaves = (part: NaiveExpression | { tag: string }): string[] =>
    'tag' in part ? [part.tag] : part.conditions.flatMap(leaves);
  return [
    ...tag_filters.include_all,
    ...tag_filters.include_any,
    ...(tag_expression ? leaves(tag_expression) : []),
  ];
}

const key = (name: string): string => name.trim().toLowerCase();
const same = (a: string, b: string): boolean => key(a) === key(b);
