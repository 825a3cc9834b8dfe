import {
  permissionsOf,
  type RequestedPermissions,
  type Scope,
  SCOPES,
  scopesOf,
} from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { parseJson } from '../../kernel/json/json-text.js';
import { isObject } from '../../kernel/json/json-values.js';
import { isStorable } from '../../kernel/storable.js';
import { hasUnseen } from '../../kernel/text/unseen-characters.js';

/** The type of authorization_details that the service understands (RFC 9396). */
export const GRAPH_ACCESS = 'graph_access';

/** The wishes of a client beyond scopes. */
export interface GraphAccess {
  scopes: Scope[];
  /** The scopes that may be left out, as named. */
  optional: Scope[];
  schemas: Partial<RequestedPermissions['schemas']>;
  purpose: string | null;
  days: number | null;
  /** The resources that the client names; none means any. */
  locations: string[];
}

const FIELDS = ['type', 'actions', 'locations', 'schemas', 'optional', 'purpose', 'expires_in_days'];
const MOST_SCHEMAS = 100;
const MOST_DAYS = 3650;
const PURPOSE_LENGTH = 200;

const refuse = (message: string): never => {
  throw new OAuthError('invalid_authorization_details', message);
};

const ACTIONS = new Map<string, Scope>(SCOPES.map((scope) => [scope.replace(/^graph:/, ''), scope]));

/** @throws invalid_authorization_details; OAuth demands that unknown fields are refused (RFC 9396, 5) */
export function graphAccessFrom(text: string): GraphAccess {
  const values = parsed(text);
  if (!Array.isArray(values) || values.length !== 1 || !isObject(values[0]))
    return refuse(`authorization_details must be an array with one object of type ${GRAPH_ACCESS}`);
  const [detail] = values as [Record<string, unknown>];
  const unknown = Object.keys(detail).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) refuse('authorization_details has an unknown field');
  if (detail.type !== GRAPH_ACCESS) refuse(`the type of authorization_details must be ${GRAPH_ACCESS}`);
  const locations = detail.locations ?? [];
  if (!Array.isArray(locations) || !locations.every((one) => typeof one === 'string'))
    refuse('locations must be texts');
  return {
    scopes: scopesOf(actionsIn(detail.actions, 'actions')),
    optional: actionsIn(detail.optional, 'optional'),
    schemas: schemasIn(detail.schemas),
    purpose: purposeIn(detail.purpose),
    days: daysIn(detail.expires_in_days),
    locations: locations as string[],
  };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return refuse('authorization_details is not JSON');
  }
}

function actionsIn(value: unknown, field: string): Scope[] {
  if (value === undefined) return [];
  const names = Array.isArray(value) ? value : refuse(`${field} must be an array`);
  return names.map((name) => ACTIONS.get(name as string) ?? refuse(`${field} has an unknown action`));
}

function schemasIn(value: unknown): GraphAccess['schemas'] {
  if (value === undefined) return {};
  if (!isObject(value)) return refuse('schemas must be an object');
  const kinds = Object.entries(value).map(([kind, schemas]) => {
    if ((kind !== 'read' && kind !== 'write') || !isObject(schemas))
      return refuse('schemas has read and write');
    const { schema_ids: ids = [], allow_all: all = false } = schemas;
    const isList =
      Array.isArray(ids) &&
      ids.length <= MOST_SCHEMAS &&
      ids.every((id) => typeof id === 'string' && id.length <= 100 && isStorable(id));
    if (!isList || typeof all !== 'boolean') return refuse('schemas has schema_ids and allow_all');
    return [kind, { schema_ids: ids as string[], allow_all: all }];
  });
  return Object.fromEntries(kinds) as GraphAccess['schemas'];
}

function purposeIn(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value.length > PURPOSE_LENGTH || hasUnseen(value))
    return refuse(`purpose must be a line of at most ${PURPOSE_LENGTH} characters`);
  return value.trim() || null;
}

function daysIn(value: unknown): number | null {
  if (value === undefined) return null;
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MOST_DAYS)
    return refuse(`expires_in_days must be a number from 1 to ${MOST_DAYS}`);
  return value as number;
}

/** The details as granted, which the token endpoint answers; without the profile, which is the person's own. */
export function grantedDetails(
  authorizationId: string,
  { scopes, schemas, purpose }: Pick<GraphAccess, 'schemas' | 'purpose'> & { scopes: readonly Scope[] },
): object[] {
  const actions = [...ACTIONS].filter(([, scope]) => scopes.includes(scope)).map(([action]) => action);
  const granted = permissionsOf(scopes, schemas).schemas;
  return [
    {
      type: GRAPH_ACCESS,
      authorization_id: authorizationId,
      actions,
      schemas: granted,
      ...(purpose === null ? {} : { purpose }),
    },
  ];
}
