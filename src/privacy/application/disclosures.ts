import { Injectable } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { type Access } from '../domain/access.js';

/** A request that was let in, and the answer that it will get. */
export interface Exchange {
  /** Method and pattern of the route. */
  endpoint: string;
  /** Whether the route only asks. */
  reads: boolean;
  response: Pick<ServerResponse, 'statusCode' | 'headersSent' | 'destroyed' | 'once'>;
}

/** Must neither wait nor throw: a request is being answered. */
export interface DisclosureListener {
  /** The guard has let a caller in, by this access to the caller's user's own graph. */
  admitted(access: Access, exchange: Exchange): void;
  /** Something of a graph is about to leave the service by this access. */
  shown(access: Access, thing: Shown): void;
}

export interface Shown {
  owner_id: string;
  /** Of the node; null for what is none: a tag, a relationship. */
  id: string | null;
}

/**
 * Whoever lets something of a graph out says so here: the guard, the locators of nodes, the presenters. Readers of what
 * happened listen, and the graph knows none of them.
 */
@Injectable()
export class Disclosures {
  private readonly listeners: DisclosureListener[] = [];

  listen(listener: DisclosureListener): void {
    this.listeners.push(listener);
  }

  admitted(access: Access, exchange: Exchange): void {
    for (const listener of this.listeners) listener.admitted(access, exchange);
  }

  shown(access: Access, thing: Shown): void {
    for (const listener of this.listeners) listener.shown(access, thing);
  }
}
