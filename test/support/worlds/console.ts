import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Browser } from 'playwright-core';
import { launchBrowser } from '../browser.js';
import { type Client } from '../client.js';
import { ConsolePage } from '../console.js';
import { OAuthWorld } from '../oauth.js';
import { type TestUser } from '../world.js';
import { titlesOf } from './nodes.js';
import { proposed } from './proposals.js';

export interface ConsoleScene {
  oauth: OAuthWorld;
  browser: Browser;
  /** A registered app, not connected yet. */
  app: { id: string; secret: string };
  ada: TestUser;
  one: ConsolePage;
}

/** One service and one browser for a file of tests, and for each of them a new person with a new page. */
export function withConsole(meet: (scene: ConsoleScene) => Promise<void> | void): void {
  let oauth: OAuthWorld;
  let browser: Browser;
  let app: ConsoleScene['app'];
  let one: ConsolePage | undefined;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    browser = await launchBrowser();
    app = await oauth.app();
  });
  afterAll(async () => {
    await browser?.close();
    await oauth?.world.stop();
  });
  beforeEach(async () => {
    const ada = await oauth.world.user();
    one = await ConsolePage.open(browser, oauth.world.origin);
    await meet({ oauth, browser, app, ada, one });
  });
  afterEach(() => one?.close());
}

/** Two goals about sailing and a note about work. */
export async function writesGoals(person: Client): Promise<void> {
  for (const [title, tag] of [
    ['Learn to sail', 'sailing'],
    ['Harbour fees', 'sailing'],
    ['Quarterly review', 'work'],
  ] as const)
    await person.post('/nodes', { title, node_type: tag === 'work' ? 'NOTE' : 'GOAL', tags: [tag] });
}

/** The titles of all notes that a caller is shown, sorted. */
export const titlesSeenBy = async (client: Client): Promise<string[]> =>
  titlesOf(await client.get('/nodes')).sort();

type Body = Record<string, unknown>;
export const READY = { status: 'READY_FOR_APPROVAL' };
export const GOAL = { title: 'Learn to sail', node_type: 'GOAL', tags: ['sea'] };

/** Suggestions of an app that is connected with the person, and their pages. */
export class Suggestions {
  constructor(
    private readonly app: Client,
    private readonly ada: TestUser,
    private readonly one: ConsolePage,
  ) {}

  static async of({ oauth, app, ada, one }: ConsoleScene): Promise<{ app: Client; pages: Suggestions }> {
    const { access_token } = await oauth.connect(app.id, ada, {
      parameters: { scope: 'graph:read graph:propose' },
    });
    const client = oauth.with(access_token);
    return { app: client, pages: new Suggestions(client, ada, one) };
  }

  async suggest(body: Body): Promise<string> {
    return (await proposed(this.app, { title: 'A goal from your notes', ...READY, ...body })).id as string;
  }

  suggestGoal(body: Body = {}): Promise<string> {
    return this.suggest({ canonical_data: GOAL, ...body });
  }

  async open(id: string, title = 'A goal from your notes'): Promise<void> {
    await this.one.goAs(this.ada.name, `/proposals/${id}`);
    await this.one.heading(title);
  }

  seen(text: string | RegExp): Promise<void> {
    return this.one.page.getByText(text).first().waitFor();
  }

  change(number: number) {
    return this.one.page.locator('section.card', { hasText: `Change ${number} of` });
  }
}
