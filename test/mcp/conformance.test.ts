import { type Server } from 'node:http';
import { addressOf, conformance, type Finding, proxyWith, scenariosOf } from '../support/conformance.js';
import { OAuthWorld } from '../support/oauth.js';

/** Scenarios that pass: in both revisions, or in one. */
const APPLIED = {
  both: ['completion-complete', 'dns-rebinding-protection', 'prompts-list', 'resources-list', 'tools-list'],
  '2026-07-28': [
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'server-stateless',
  ],
  '2025-11-25': ['ping', 'server-initialize', 'server-session-lifecycle'],
} as const;

/** Scenarios that do not apply, by the reason. */
const LEFT_OUT: Record<string, { both?: string[]; '2026-07-28'?: string[]; '2025-11-25'?: string[] }> = {
  'calls tools that only the suite’s own server has': {
    both: [
      'json-schema-2020-12',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
    ],
    '2026-07-28': ['http-custom-header-server-validation'],
    '2025-11-25': ['tools-call-with-logging'],
  },
  'gets prompts that only the suite’s own server has': {
    both: [
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
    ],
  },
  'reads resources that only the suite’s own server has': {
    both: ['resources-read-binary', 'resources-read-text', 'resources-templates-read'],
  },
  'expects questions to the client, which this service never asks': {
    '2026-07-28': [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-multi-round',
      'input-required-result-multiple-input-requests',
      'input-required-result-non-tool-request',
      'input-required-result-request-state',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
    ],
    '2025-11-25': [
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'tools-call-elicitation',
      'tools-call-sampling',
    ],
  },
  'needs sessions, and this endpoint has none': {
    '2025-11-25': [
      'resources-subscribe',
      'resources-unsubscribe',
      'server-sse-multiple-streams',
      'server-sse-polling',
    ],
  },
  'needs logging to the client, which is not offered and deprecated': { '2025-11-25': ['logging-set-level'] },
};

/** Checks of applied scenarios that need tools of the suite’s own server, by scenario. */
const UNTESTABLE: Record<string, Record<string, Finding['status']>> = {
  'server-stateless': {
    'sep-2575-http-server-no-independent-requests-on-stream': 'FAILURE',
    'sep-2575-missing-capability-http-400': 'FAILURE',
    'sep-2575-server-no-log-without-loglevel': 'FAILURE',
    'sep-2575-server-rejects-undeclared-capability': 'FAILURE',
    'sep-2575-server-sends-prompts-list-changed-on-subscription': 'SKIPPED',
    'sep-2575-server-sends-tools-list-changed-on-subscription': 'WARNING',
  },
};

describe.each(['2026-07-28', '2025-11-25'] as const)('the conformance suite of MCP for %s', (revision) => {
  const applied: readonly string[] = [...APPLIED.both, ...APPLIED[revision]];
  const leftOut = Object.values(LEFT_OUT).flatMap((one) => [...(one.both ?? []), ...(one[revision] ?? [])]);
  let oauth: OAuthWorld;
  let proxy: Server;
  let ran: string[];
  let findings: Finding[];
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    const person = await oauth.world.user();
    await person.post('/nodes', { title: 'Swim across the bay', node_type: 'note', tags: ['sport'] });
    const { access_token: token } = await oauth.connect((await oauth.app()).id, person, {
      parameters: { scope: 'graph:read graph:propose' },
    });
    proxy = await proxyWith({ Authorization: `Bearer ${token}` }, oauth.world.origin);
    ({ ran, findings } = await conformance(`${addressOf(proxy)}/mcp`, revision));
  });
  afterAll(async () => {
    proxy.close();
    proxy.closeAllConnections();
    await oauth.world.stop();
  });

  it('contains no scenario beyond both lists', async () => {
    const known = [...applied, ...leftOut].sort();
    expect((await scenariosOf(revision)).sort()).toEqual(known);
    expect([...ran].sort()).toEqual(known);
  });

  it('passes every scenario that applies', () => {
    const found = findings.filter(({ scenario, check, status }) => {
      return applied.includes(scenario) && UNTESTABLE[scenario]?.[check] !== status;
    });
    expect(found).toEqual([]);
  });

  it('leaves no scenario and no check out that passes', () => {
    const failing = new Set(findings.map(({ scenario }) => scenario));
    expect(leftOut.filter((scenario) => !failing.has(scenario))).toEqual([]);
    const checks = new Set(findings.map(({ check }) => check));
    const untestable = Object.entries(UNTESTABLE).filter(([scenario]) => applied.includes(scenario));
    expect(untestable.flatMap(([, of]) => Object.keys(of)).filter((check) => !checks.has(check))).toEqual([]);
  });
});
