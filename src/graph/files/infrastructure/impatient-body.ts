import { type IncomingMessage } from 'node:http';

/**
 * Ends a body whose sender has been silent for longer than `patienceMs`, and at the latest after twice that
 * time. Time counts only while the reader waits for data. A timeout of the socket would also affect slow
 * readers, because nothing moves there while they read nothing.
 */
export function impatient(body: IncomingMessage, patienceMs: number): void {
  // The bytes received when the reader was last seen waiting; null when it was not waiting.
  let seen: number | null = null;
  const timer = setInterval(() => {
    // A complete body may still wait for its reader to notice the end.
    const isAwaited = !body.complete && body.readableLength === 0;
    const { bytesRead } = body.socket;
    if (isAwaited && bytesRead === seen) body.destroy(new Error('the sender fell silent'));
    seen = isAwaited ? bytesRead : null;
  }, patienceMs).unref();
  body.once('close', () => clearInterval(timer));
}
