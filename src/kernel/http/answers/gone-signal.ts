import { type Response } from 'express';

/** A signal that is aborted when the client disconnects before it has the whole answer. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  // The client may have disconnected while the request was being admitted.
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
