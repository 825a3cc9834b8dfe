import { type Route, type RouteTable } from '../../src/kernel/http/route-table.js';
import { PermissionAudit } from '../../src/privacy/http/permission-audit.js';

const auditOf = (permission: string): PermissionAudit => {
  const requires = { callers: 'any' as const, permission };
  const route: Route = {
    method: 'GET',
    path: '/x',
    controller: class X {} as unknown as Route['controller'],
    name: 'get',
    handler: 'X.get',
    endpoint: { summary: 'x', requires },
  };
  return new PermissionAudit({ routes: [route] } as unknown as RouteTable);
};

describe('start of the service', () => {
  it.each(['tags.crate', 'tags', '', 'nodes.read', 'constructor'])(
    'the audit of permissions stops the start for %j',
    (permission) => {
      expect(() => auditOf(permission).onApplicationBootstrap()).toThrow('is no permission');
    },
  );

  it.each(['tags.read', 'tags.create_new', 'files.read', 'schemas.write'])(
    'the audit of permissions knows %j',
    (permission) => {
      expect(() => auditOf(permission).onApplicationBootstrap()).not.toThrow();
    },
  );
});
