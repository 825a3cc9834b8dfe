import { Injectable } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { type Actor } from '../../kernel/request-context.js';
import { type Access } from '../domain/access.js';

/** An admitted request, and its answer. */
export interface Exchange {
  /** Method and pattern of the route. */
  endpoint: string;
  /** True if the route only reads. */
  reads: boolean;
  /** The person who reads as the app of the access; absent: the app itself. */
  readBy?: Actor;
  /** The session of the token by which an app calls. */
  sessionId: string | null;
  /** True for an id by which the request names a node, in its path or in the list of ids that it asks for. */
  names: (id: string) => boolean;
  response: Pick<ServerResponse, 'statusCode' | 'headersSent' | 'destroyed' | 'once'>;
}

/** Receives access reports. Must neither wait nor throw: a request is being answered. */
export interface AccessListener {
  /** The guard has admitted a caller by this access to the graph of the caller's user. */
  admitted(access: Access, exchange: Exchange): void;
  /** A part of a graph is about to leave the service by this access. */
  shown(access: Access, thing: Shown): void;
}

export interface Shown {
  owner_id: string;
  /** The id of a node; null for a tag or a relationship. */
  id: string | null;
}

/**
 * Publishes access reports. The guard, the locators of nodes and the presenters report to it, readers of access
 * logs listen, and the graph knows none of them.
 */
@Injectable()
export class AccessReports {
  private readonly listeners: AccessListener[] = [];

  listen(listener: AccessListener): void {
    this.listeners.push(listener);
  }

  admitted(access: Access, exchange: Exchange): void {
    for (const listener of this.listeners) listener.admitted(access, exchange);
  }

  shown(access: Access, thing: Shown): void {
    for (const listener of this.listeners) listener.shown(access, thing);
  }
}
