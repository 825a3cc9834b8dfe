// Not a fault but a gauge: reports, at the socket FAULT_GAUGE, the memory of the process after a garbage
// collection. Caches have a fiftieth of their size, so that they are full after minutes and their contents
// show no growth; with FAULT_CACHES=whole they have all of it.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  if (process.env.FAULT_CACHES !== 'whole') await import('./small-caches.mjs');
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  // With other flags than the build's, V8 would reject the build's code cache.
  setFlagsFromString('--no-expose-gc');
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();

  const reading = () => {
    const lag = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    // A second collection, for objects that were waiting for their finalizers.
    collectGarbage();
    collectGarbage();
    delay.reset();
    const handles = {};
    for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
    return { ...process.memoryUsage(), handles, lag };
  };
  createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://gauge');
    const file = searchParams.get('snapshot');
    response.end(JSON.stringify(file === null ? reading() : writeHeapSnapshot(file)));
  })
    .listen(process.env.FAULT_GAUGE)
    .unref();
}
