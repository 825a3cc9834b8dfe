import { type App, isRedirectUri, verifiedHost } from '../../identity/index.js';

/** A program that asks for tokens: an app, as OAuth names and sees it. */
export interface Client {
  app: App;
  /** The id of the app, or the address of the document that describes it. */
  clientId: string;
  redirectUris: readonly string[];
  /** The site that vouches for it; null for none. */
  host: string | null;
}

export const clientOf = (app: App): Client => ({
  app,
  clientId: app.documentUrl ?? app.id,
  // Apps may have registered others before this was checked.
  redirectUris: app.redirectUris.filter(isRedirectUri),
  host: verifiedHost(app),
});
