import { hasUnseen } from '../../kernel/text/unseen-characters.js';
import { createHash } from 'node:crypto';
import { type Tier } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { EVERYTHING, type OthersRights, type Right } from './others-rights.js';
import { type RequestedPermissions, requestsTag } from './requested-permissions.js';

/** L1 is a native app, L2 a third-party app (specification, Client tiers). */
export const CLIENT_LEVELS = ['L1', 'L2'] as const;
export type ClientLevel = (typeof CLIENT_LEVELS)[number];

/**
 * The origin of an app: its developer registered it here, its client_id is the address of a document that describes it, or
 * it registered itself (rule 14.3). The last two have no developer, and name their requests in each consent.
 */
export const APP_KINDS = ['registered', 'document', 'dynamic'] as const;
export type AppKind = (typeof APP_KINDS)[number];

/** A client of the service; `third_party_id` is its id (rule 1.5). */
export interface App {
  id: string;
  ownerId: string;
  name: string;
  description: string | null;
  homepageUrl: string | null;
  redirectUris: string[];
  clientLevel: ClientLevel;
  requestedPermissions: RequestedPermissions;
  tier: Tier;
  /** False while its developer has deactivated it: its keys are known and grant nothing. */
  isActive: boolean;
  kind: AppKind;
  /** The address of the document that describes it; null for other kinds. */
  documentUrl: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The site whose document describes an app, which it thereby speaks for; null for apps that no site vouches for. */
export const verifiedHost = ({ documentUrl }: Pick<App, 'documentUrl'>): string | null =>
  documentUrl === null ? null : new URL(documentUrl).host;

/**
 * An opaque version of everything that a person agrees to when they authorize the app: it differs after any
 * change.
 */
export function requestVersionOf(app: App): string {
  const { id, name, description, homepageUrl, redirectUris, clientLevel, requestedPermissions } = app;
  const request = [id, name, description, homepageUrl, redirectUris, clientLevel, requestedPermissions];
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 22);
}

const TAG_VERBS = ['discover', 'read', 'propose', 'edit', 'create', 'delete'] as const;

/**
 * The rights that an app requests from people, and the addresses it sends them to; none while it is inactive
 * (rule 1.16).
 */
export function requestRights({
  isActive,
  clientLevel,
  redirectUris,
  requestedPermissions,
}: App): OthersRights {
  if (!isActive) return { rights: [] };
  const { files, schemas } = requestedPermissions;
  const right = (kind: string, over: string): Right => ({ kind, over });
  return {
    rights: [
      right('client level', clientLevel),
      ...redirectUris.map((uri) => right('redirect', uri)),
      ...TAG_VERBS.filter((verb) => requestsTag(requestedPermissions, verb)).map((verb) =>
        right('tags', verb),
      ),
      ...(files.read ? [right('files', 'read')] : []),
      ...(['read', 'write'] as const).flatMap((verb) => [
        ...(schemas[verb].allow_all ? [right(`schemas.${verb}`, EVERYTHING)] : []),
        ...schemas[verb].schema_ids.map((id) => right(`schemas.${verb}`, id)),
      ]),
    ],
  };
}

/**
 * True for a page that a browser may be sent to from the consent page: http or https, no scheme that executes, and nothing
 * that makes its host look like another one (a name before `@`, invisible characters).
 */
export function isWebAddress(value: string): boolean {
  if (hasUnseen(value) || !hasScheme(value, (scheme) => scheme === 'http:' || scheme === 'https:'))
    return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
}

/** Schemes that run code, wrap another address, or open something of the browser or the machine. */
const UNFIT_SCHEMES =
  /^(javascript|data|vbscript|file|blob|about|view-source|filesystem|jar|feed|intent|chrome|chrome-extension|moz-extension|resource|ms-.*|search-ms|itms-.*|microsoft-.*|google-?chromes?|firefox.*|x-safari-.*|opera-.*|brave|smb|ftp|wss?|mailto|tel|sms):$/;

/** The hosts by which a machine means itself. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True for an absolute address without a fragment (RFC 6749, 3.1.2), and without a name before its host, which would look
 * like the host. Native apps have schemes of their own (RFC 8252, 7.1); with http a code stays on its machine (RFC 9700,
 * 2.6).
 */
export function isRedirectUri(value: string): boolean {
  if (value.includes('#') || !hasScheme(value, (scheme) => !UNFIT_SCHEMES.test(scheme))) return false;
  const { protocol, hostname, username, password } = new URL(value);
  return username === '' && password === '' && (protocol !== 'http:' || LOOPBACK.has(hostname));
}

function hasScheme(value: string, allows: (scheme: string) => boolean): boolean {
  return !/\s/.test(value) && URL.canParse(value) && allows(new URL(value).protocol);
}

/** The error for an app that is unknown to the caller; `fields` are the fields of the body that named it. */
export const appNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NOT_FOUND', 'App not found', fields);
