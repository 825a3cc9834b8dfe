import { Injectable, RequestMethod } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { endpointOf, type EndpointOptions } from './endpoint.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A controller's class. */
export interface Controller {
  readonly name: string;
  readonly prototype: Record<string, unknown>;
}

export interface Route {
  method: string;
  /** The full path with the version prefix and `:parameters`. */
  path: string;
  controller: Controller;
  /** Name of the controller's method. */
  name: string;
  /** Class and method, for messages. */
  handler: string;
  endpoint: EndpointOptions | undefined;
}

/** All routes of all controllers, read from Nest's metadata: for the audit at boot, for 405, and for sweeping tests. */
@Injectable()
export class RouteTable {
  readonly routes: Route[] = [];
  private patterns: { pattern: RegExp; method: string }[] = [];
  private errorForms: { pattern: RegExp; endpoint: EndpointOptions }[] = [];

  constructor(
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
  ) {}

  /** @param withPrefix turns a controller's path into the full one */
  collect(withPrefix: (path: string) => string): void {
    for (const module of this.modules.values()) {
      for (const { metatype } of module.controllers.values()) {
        if (typeof metatype === 'function') this.routes.push(...this.ofController(metatype, withPrefix));
      }
    }
    this.patterns = this.routes.map(({ path, method }) => ({ method, pattern: toPattern(path) }));
    this.errorForms = this.routes.flatMap(({ path, endpoint }) =>
      endpoint === undefined ||
      (endpoint.oauthErrors ?? endpoint.errorPage ?? endpoint.errorBody) === undefined
        ? []
        : [{ pattern: toPattern(path), endpoint }],
    );
  }

  /** Fails if a route is undeclared or unreachable; unconditional, in every environment. */
  audit(knows: (kind: string, verb: string) => boolean): void {
    this.refuseShadowed();
    for (const { method, path, handler, endpoint } of this.routes) {
      const where = `${handler} (${method} ${path})`;
      if (endpoint === undefined) throw new Error(`${where} has no @Endpoint`);
      const { requires } = endpoint;
      if (requires === 'public') continue;
      if (!requires || !['user', 'key', 'any'].includes(requires.callers))
        throw new Error(`${where} requires nothing`);
      if (requires.stepUp !== undefined && requires.callers === 'key')
        throw new Error(`${where}: only persons can be asked for a fresh log-in`);
      if (requires.resource === undefined) continue;
      const { kind, param, verb } = requires.resource;
      if (!knows(kind, verb)) throw new Error(`${where}: no locator for ${verb} of ${kind}`);
      if (!path.includes(`:${param}`) && !path.includes(`*${param}`))
        throw new Error(`${where}: no parameter ${param}`);
    }
  }

  /**
   * Routes match in the order in which they are registered: `nodes/:id` before `nodes/history` takes `history` for an
   * id.
   */
  private refuseShadowed(): void {
    const patterns = this.routes.map(({ path }) => toPattern(path));
    this.routes.forEach(({ method, path, handler }, index) => {
      const taker = this.routes
        .slice(0, index)
        .find((other, at) => other.method === method && (patterns[at] as RegExp).test(path));
      if (taker === undefined) return;
      throw new Error(
        `${handler} (${method} ${path}) is never reached: ${taker.handler} (${taker.path}) takes it`,
      );
    });
  }

  /** Methods that some route has for this path, for the Allow header. */
  methodsOf(path: string): string[] {
    const methods = new Set(
      this.patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    );
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods];
  }

  /** The declaration of a path whose errors are not in the envelope. */
  formOfErrorsAt(path: string): Pick<EndpointOptions, 'oauthErrors' | 'errorPage' | 'errorBody'> {
    return this.errorForms.find(({ pattern }) => pattern.test(path))?.endpoint ?? {};
  }

  private ofController(type: NonNullable<unknown>, withPrefix: (path: string) => string): Route[] {
    const controller = type as Controller;
    const base = this.reflector.get<string | string[]>('path', controller as never);
    const routes: Route[] = [];
    for (const name of Object.getOwnPropertyNames(controller.prototype)) {
      const handler = controller.prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) continue;
      const method = RequestMethod[this.reflector.get<RequestMethod>('method', handler as never)];
      const paths = [this.reflector.get<string | string[]>('path', handler as never)].flat();
      for (const prefix of [base].flat()) {
        for (const path of paths) {
          const full = `/${prefix}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
          routes.push({
            method,
            path: withPrefix(full),
            controller,
            name,
            handler: `${controller.name}.${name}`,
            endpoint: endpointOf(handler),
          });
        }
      }
    }
    return routes.filter(({ method }) => METHODS.includes(method as never));
  }
}

function toPattern(path: string): RegExp {
  const escaped = path
    .replace(/[.]/g, '\\.')
    .replace(/\*[A-Za-z_]+/g, '.+')
    .replace(/:[A-Za-z_]+/g, '[^/]+');
  return new RegExp(`^${escaped}/?$`);
}
