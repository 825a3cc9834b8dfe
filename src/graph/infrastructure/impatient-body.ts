import { type IncomingMessage } from 'node:http';

/**
 * A body that breaks off when its sender has been silent for longer than `patienceMs`, and at the latest after twice that
 * time. Only while the reader waits for it: he may take his time. A timeout of the socket would hit slow readers, too,
 * because nothing moves there either while they take nothing.
 */
export function impatient(body: IncomingMessage, patienceMs: number): void {
  // Bytes that had come when the reader was last seen waiting; null: he was not.
  let seen: number | null = null;
  const timer = setInterval(() => {
    // What has come whole may still wait for the reader to hear of its end.
    const isAwaited = !body.complete && body.readableLength === 0;
    const { bytesRead } = body.socket;
    if (isAwaited && bytesRead === seen) body.destroy(new Error('the sender fell silent'));
    seen = isAwaited ? bytesRead : null;
  }, patienceMs).unref();
  body.once('close', () => clearInterval(timer));
}
