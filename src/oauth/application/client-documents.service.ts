import { Injectable } from '@nestjs/common';
import { type App, UnownedApps } from '../../identity/index.js';

/** Clients whose client_id is the address of a document that describes them (rule 14.3c). */
@Injectable()
export class ClientDocuments {
  constructor(private readonly apps: UnownedApps) {}

  /** The client as its document describes it now; null where there is no valid document. */
  read(url: string): Promise<App | null> {
    return this.known(url);
  }

  /** The client as its document described it when it was last read; null where it never was. */
  known(url: string): Promise<App | null> {
    return this.apps.findByDocument(url);
  }
}
