import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const ON_NODE_20 = './test/support/conformance-on-node-20.mjs';
/** The folder of a scenario's results, which ends with the time. */
const RESULTS = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/;

/** A check of the suite that found something. */
export interface Finding {
  scenario: string;
  check: string;
  status: 'FAILURE' | 'WARNING' | 'SKIPPED';
  message: string;
}

/** The names of all server scenarios of the suite that apply to a revision of the protocol. */
export async function scenariosOf(revision: string): Promise<string[]> {
  const text = await suite('list', '--server', '--spec-version', revision);
  return [...text.matchAll(/^ +- (\S+) \[/gm)].map(([, name]) => name as string);
}

/** Runs all server scenarios of a revision against an endpoint. @returns the names of those that ran, and their findings */
export async function conformance(
  url: string,
  revision: string,
): Promise<{ ran: string[]; findings: Finding[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'pig-conformance-'));
  try {
    await suite('server', '--url', url, '--spec-version', revision, '--suite', 'all', '-o', folder);
    const ran = readdirSync(folder).map((name) => [RESULTS.exec(name)?.[1] ?? name, name] as const);
    return {
      ran: ran.map(([scenario]) => scenario),
      findings: ran.flatMap(([scenario, name]) => findingsIn(scenario, join(folder, name, 'checks.json'))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The output of the suite, which ends with 1 where a scenario fails. */
function suite(...args: string[]): Promise<string> {
  return new Promise((done, failed) => {
    execFile(process.execPath, ['--import', ON_NODE_20, SUITE, ...args], (error, stdout, stderr) => {
      if (error !== null && error.code !== 1) failed(new Error(stderr || error.message));
      else done(stdout);
    });
  });
}

interface Check {
  id: string;
  status: Finding['status'] | 'SUCCESS' | 'INFO';
  errorMessage?: string;
}

const findingsIn = (scenario: string, file: string): Finding[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as Check[]).flatMap(({ id, status, errorMessage = '' }) =>
    status === 'SUCCESS' || status === 'INFO' ? [] : [{ scenario, check: id, status, message: errorMessage }],
  );

/** A proxy before a service that adds headers to each request: the suite knows no credentials. */
export async function proxyWith(headers: Record<string, string>, service: string): Promise<Server> {
  const proxy = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers: own } = asked;
    const passed = request(new URL(url, service), { method, headers: { ...own, ...headers } });
    passed.on('response', (given) => given.pipe(answer.writeHead(given.statusCode ?? 502, given.headers)));
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return proxy;
}

export const addressOf = (proxy: Server): string =>
  `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
