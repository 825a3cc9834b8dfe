import { expect, it } from '@jest/globals';
import { ServiceProcess } from '../support/server.js';

it('the demonstration of OAuth connects a client that reads, is narrowed, and is refused in the end', async () => {
  const demo = new ServiceProcess('../scripts/demo-oauth.mjs', {});
  expect(await demo.ended).toEqual({ code: 0, signal: null });
  expect(demo.stderr).toBe('');
  const steps = [...demo.stdout.matchAll(/^\d\. ([\w ]+): /gm)].map(([, title]) => title);
  expect(steps).toEqual([
    'Discovery',
    'Registration',
    'Authorize URL',
    'Consent',
    'Code',
    'Read',
    'Refresh',
    'Narrowing',
    'Revocation',
  ]);
  const answers = [...demo.stdout.matchAll(/^ {3}((?:GET|POST) \S+: \S+ ?.*)/gm)].map(([, line]) => line);
  expect(answers.slice(1)).toEqual([
    'GET /api/v1/nodes: "Run a marathon", total 1',
    'POST /api/v1/nodes: 201',
    'POST /api/v1/nodes: 403',
    'GET /api/v1/nodes: 200',
    'GET /api/v1/nodes: 401, invalid_token',
    'POST /oauth/token: 400, invalid_grant',
  ]);
  expect(answers[0]).toMatch(/^GET \/api\/v1\/nodes: 401, WWW-Authenticate: Bearer .*scope="graph:read/);
});
