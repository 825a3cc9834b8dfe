import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import {
  actorOf,
  type Caller,
  callerOf,
  Challenges,
  scopesFor,
  scopesOf,
  sessionOf,
  setCaller,
  StepUp,
} from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import {
  AS_APP_PARAMETER,
  endpointOf,
  isOfAppItself,
  onlyReads,
  requirementOf,
} from '../../kernel/http/endpoint.js';
import { endpointName } from '../../kernel/http/endpoint-name.js';
import { takesAsApp } from '../../kernel/http/query-parameters.js';
import { requestContext } from '../../kernel/request-context.js';
import { Accesses } from '../application/accesses.service.js';
import { AccessReports } from '../application/access-reports.js';
import { CallersAsApps } from '../application/callers-as-apps.service.js';
import { DerivedUsers } from '../application/derived-users.service.js';
import { Onlookers } from '../application/onlookers.service.js';
import { type Access, PERMISSIONS, type Permission } from '../domain/access.js';
import { accessOf, setAccess } from './current-access.js';

/**
 * The second guard: puts requested ∩ granted as one Access on the request, and checks that it holds the
 * permission that the endpoint requires. The app's own endpoints act for no user and have no Access. The next
 * guard checks ids in the path.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly accesses: Accesses,
    private readonly derived: DerivedUsers,
    private readonly accessReports: AccessReports,
    private readonly stepUp: StepUp,
    private readonly onlookers: Onlookers,
    private readonly asApps: CallersAsApps,
    private readonly challenges: Challenges,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirement = requirementOf(context);
    if (requirement === 'public') return true;
    const { user, permission } = requirement;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.callerOf(request, context.getHandler());
    let access: Access;
    if (caller.kind === 'user') access = await this.accesses.ofUser(caller.userId, caller.stamps);
    else if (isOfAppItself(requirement)) return true;
    else if (user === 'derived') access = await this.derived.accessOf(caller, request.headers['x-user-id']);
    else if (caller.userId !== null) access = await this.accesses.ofApp(caller, caller.userId);
    else throw new Error('an app got past authentication without its user');
    if (permission !== undefined) this.requirePermission(access, { permission, caller, request });
    setAccess(request, access);
    this.judgeWrites(request, access);
    this.accessReports.admitted(access, {
      endpoint: endpointName(request),
      reads: onlyReads(request.method, endpointOf(context.getHandler())),
      response: request.res as Response,
      sessionId: sessionOf(caller),
      names: namedIn(request),
      ...(caller.kind === 'app' && caller.readBy !== undefined ? { readBy: actorOf(caller.readBy) } : {}),
    });
    return true;
  }

  /** An unknown permission is never held, not even by owners. */
  private requirePermission(
    { permissions }: Access,
    { permission, caller, request }: { permission: string; caller: Caller; request: Request },
  ): void {
    if (!isPermission(permission)) throw new Error(`no such permission: ${permission}`);
    if (permissions.has(permission)) return;
    const held = caller.kind === 'app' ? caller.token?.scopes : undefined;
    const needed = held === undefined ? [] : scopesOf([...held, ...scopesFor(permission)]);
    if (held !== undefined && needed.length > held.length)
      this.challenges.nameScopes(request.res as Response, needed);
    throw permissionNeeded(permission);
  }

  /** The sender of the request, or the app as which a person reads (rule 2.11). */
  private async callerOf(request: Request, handler: object): Promise<Caller> {
    const caller = callerOf(request);
    const named =
      request.url.includes('?') && takesAsApp(handler) ? request.query[AS_APP_PARAMETER] : undefined;
    // The last guard refuses a parameter that is sent more than once.
    if (typeof named !== 'string') return caller;
    const asApp = await this.asApps.of(caller, named);
    setCaller(request, asApp);
    return asApp;
  }

  /**
   * Judges a write by what it newly shows to others: that of an app or a group's member is refused where a type
   * or schema does so (rule 3.17g), that of a person without a recent log-in is counted (rule 1.16).
   */
  private judgeWrites(request: Request, { ownerId, policy }: Access): void {
    const confirm = this.stepUp.isStale(request) ? this.stepUp.confirmation(request) : null;
    const known = new Map([[ownerId, policy]]);
    requestContext.current().beforeWrite = async (changes) => {
      // A locator may have put the access to a group's graph on the request meanwhile.
      if (!accessOf(request).isOwner) await this.onlookers.refuseOpening(changes, known);
      if (confirm !== null) await this.onlookers.confirm(changes, { known, confirm });
    };
  }
}

/**
 * Names create for `tags.create_new`: making tags is not a verb of its own in requests and grants (rule
 * 4.15).
 */
export const permissionNeeded = (permission: Permission): DomainError =>
  new DomainError(
    'PERMISSION_DENIED',
    `This requires the permission ${permission === 'tags.create_new' ? 'tags.create, granted with allow_new, and tags.discover with allow_all' : permission}`,
  );

/** Looks when something is shown: the body is read after the guards. */
function namedIn(request: Request): (id: string) => boolean {
  const idsOf = (values: unknown[]) =>
    new Set(values.map((value) => (typeof value === 'string' ? value.toLowerCase() : null)));
  let inBody: ReadonlySet<string | null> | undefined;
  return (id) => {
    if (idsOf(Object.values(request.params)).has(id)) return true;
    const { ids } = (request.body ?? {}) as { ids?: unknown };
    return Array.isArray(ids) && (inBody ??= idsOf(ids)).has(id);
  };
}

const KNOWN: ReadonlySet<string> = new Set(PERMISSIONS);

export const isPermission = (permission: string): permission is Permission => KNOWN.has(permission);
