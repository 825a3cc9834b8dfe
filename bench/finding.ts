import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { logFile, SERVICE } from './dataset/databases.js';
import { FindingGraph } from './dataset/finding.js';
import { requestBytes } from './load/connection.js';
import { drive } from './load/drive.js';
import { ROOT, startServer } from './targets/process.js';

const HELP = `npm run bench:finding -- [options]
  --nodes <n>     of the person whose graph is searched (default 10000)
  --edges <n>     of the hub (default 10000)
  --seconds <n>   for each question (default 5)
The database is an embedded one, or a new and empty one that DATABASE_URL names. Everything is written through the API,
and read by one connection, one request after another.`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '10000' },
    edges: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

mkdirSync(`${ROOT}.services/bench`, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'pig-finding-'));
try {
  const service = await startServer({
    name: 'service',
    script: SERVICE,
    environment: {
      DATA_DIR: folder,
      DATABASE_URL: process.env['DATABASE_URL'] ?? '',
      RATE_LIMITS: 'off',
      QUOTAS_FREE: 'nodes=1000000000, relationships=1000000000, graph_bytes=100TiB',
      LOG_LEVEL: 'error',
    },
    readyPath: '/health/ready',
    log: logFile('finding'),
  });
  const graph = await FindingGraph.write(service.port, Number(values.nodes), Number(values.edges));
  const lines = ['| question | answers with | p50 ms | p99 ms |', '|---|---|---|---|'];
  for (const question of graph.questions()) {
    let sent = 0;
    const next = (): Buffer => {
      const { method, path, body } = question.requests[sent++ % question.requests.length]!;
      return requestBytes(method, `/api/v1${path}`, graph.headers, body);
    };
    const load = { port: service.port, connections: 1, status: 200, next };
    // The first requests fill caches and connections.
    await drive({ ...load, seconds: 1 });
    const { p50, p99 } = await drive({ ...load, seconds: Number(values.seconds) });
    lines.push(
      `| ${question.name} | ${await graph.found(question)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`,
    );
    console.log(lines.at(-1));
  }
  const title = `${values.nodes} nodes, ${process.env['DATABASE_URL'] ? 'PostgreSQL' : 'PGlite'}`;
  const text = `${title}\n\n${lines.join('\n')}\n`;
  writeFileSync(`${ROOT}.services/bench/finding.md`, text);
  console.log(`\n${text}`);
  await service.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
