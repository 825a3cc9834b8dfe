import { type Answer } from '../support/client.js';
import { type Named } from './inner-requests.js';
import { type Both } from './twins.js';

const ONE = '/api/v1/proposals/{proposal_id}';

/**
 * The life of the caller's proposals: a new one is PENDING whatever its body says, its app offers it with another
 * request, and may apply it once the owner has approved it.
 */
export class OwnProposals {
  private readonly pending: string[] = [];
  private readonly offered: string[] = [];

  hear({ name }: Named, [{ status, body }]: Both<Answer>): void {
    if (status >= 300) return;
    const { id } = body as { id: string };
    if (name === 'POST /api/v1/proposals') this.pending.push(id);
    if (name === `PATCH ${ONE}` && body.status === 'READY_FOR_APPROVAL') this.offered.push(id);
  }

  /** Rehearses and offers the youngest proposal; null without one. */
  offer(): Named | null {
    const id = this.pending.pop();
    if (id === undefined) return null;
    const body = { status: 'READY_FOR_APPROVAL' };
    return { name: `PATCH ${ONE}`, method: 'PATCH', path: `/proposals/${id}`, body };
  }

  /** Applies the oldest, which its owner may have approved, and lets it wait again. */
  apply(): Named | null {
    const id = this.offered.shift();
    if (id === undefined) return null;
    this.offered.push(id);
    return { name: `POST ${ONE}/apply`, method: 'POST', path: `/proposals/${id}/apply`, body: {} };
  }
}
