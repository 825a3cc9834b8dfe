import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { type Requirement, requirementOf } from './endpoint.js';

/**
 * Locates the resource of a path id for a verb. Malformed ids are passed, too.
 * @throws the 404 of its kind when it is absent or invisible (the same bytes), 403 when it is visible but the verb is
 * not permitted
 */
export type Locate<T, V extends string> = (request: Request, id: string, verb: V) => Promise<T>;

type PathResource = NonNullable<Requirement['resource']>;

const LOCATED = Symbol('located resources');
type WithLocated = Request & { [LOCATED]?: Record<string, unknown> };

/**
 * The locators by kind of resource, with their verbs; a context registers its own kinds when it starts. Unknown verbs
 * are refused, because a locator might check less for them than it should.
 */
@Injectable()
export class Locators {
  private readonly byKind = new Map<string, { verbs: readonly string[]; locate: Locate<unknown, never> }>();

  register<V extends string>(kind: string, verbs: readonly V[], locate: Locate<unknown, V>): void {
    if (this.byKind.has(kind)) throw new Error(`two locators for ${kind}`);
    this.byKind.set(kind, { verbs, locate });
  }

  locate(
    { kind, verb }: Pick<PathResource, 'kind' | 'verb'>,
    request: Request,
    id: string,
  ): Promise<unknown> {
    const known = this.byKind.get(kind);
    if (!known?.verbs.includes(verb)) throw new Error(`no locator for ${verb} of ${kind}`);
    return known.locate(request, id, verb as never);
  }

  knows(kind: string, verb: string): boolean {
    return this.byKind.get(kind)?.verbs.includes(verb) === true;
  }
}

/** Third guard: 404 and 403 of the path's own resource come before the body is even read (rule 3.18e). */
@Injectable()
export class ResourceGuard implements CanActivate {
  constructor(private readonly locators: Locators) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const requirement = requirementOf(context);
    if (requirement === 'public' || requirement.resource === undefined) return true;
    return this.locate(context.switchToHttp().getRequest<WithLocated>(), requirement.resource);
  }

  private async locate(request: WithLocated, resource: PathResource): Promise<boolean> {
    // The rest of a path (`*name`) is a list of its parts.
    const id = [request.params[resource.param] ?? []].flat().join('/');
    const located = await this.locators.locate(resource, request, id);
    request[LOCATED] = { ...request[LOCATED], [resource.kind]: located };
    return true;
  }
}

/** The resource that the locator of a kind found for this request. */
export const Located = createParamDecorator((kind: string, context: ExecutionContext): unknown => {
  const located = context.switchToHttp().getRequest<WithLocated>()[LOCATED];
  if (located === undefined || !(kind in located))
    throw new Error(`the endpoint does not declare the resource ${kind}`);
  return located[kind];
});
