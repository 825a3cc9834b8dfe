import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RouteTable } from '../../kernel/http/route-table.js';
import { isPermission } from './access.guard.js';

/**
 * Refuses to start with a route that requires an unknown permission: a misspelled one must not wait for its
 * first caller.
 */
@Injectable()
export class PermissionAudit implements OnApplicationBootstrap {
  constructor(private readonly routes: RouteTable) {}

  onApplicationBootstrap(): void {
    for (const { handler, endpoint } of this.routes.routes) {
      if (endpoint === undefined || endpoint.requires === 'public') continue;
      const { permission } = endpoint.requires;
      if (permission !== undefined && !isPermission(permission)) {
        throw new Error(`${handler} requires ${permission}, which is no permission`);
      }
    }
  }
}
