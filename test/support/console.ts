import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { launchBrowser } from './browser.js';
import { World } from './world.js';

export const PASSWORD = 'correct horse battery';

/** A page of the console in a browser context of its own. */
export class ConsolePage {
  /** Hosts to which the page sent requests. */
  readonly hosts = new Set<string>();
  /** Errors that the page has thrown or its policy reported. */
  readonly errors: string[] = [];

  private constructor(
    readonly page: Page,
    readonly origin: string,
  ) {
    page.on('request', (request) => this.hosts.add(new URL(request.url()).host));
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.errors.push(message.text());
    });
  }

  static async open(
    browser: Browser,
    origin: string,
    options: BrowserContextOptions = {},
  ): Promise<ConsolePage> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
    return new ConsolePage(await context.newPage(), origin);
  }

  /** A page that the browser has opened by itself. */
  static of(page: Page, origin: string): ConsolePage {
    return new ConsolePage(page, origin);
  }

  close = (): Promise<void> => this.page.context().close();
  go = (path: string) => this.page.goto(`${this.origin}/console${path}`);
  heading = (name: string | RegExp) => this.page.getByRole('heading', { name, level: 1 }).waitFor();
  press = (name: string, exact = true) => this.page.getByRole('button', { name, exact }).click();

  async fillLogIn(name: string, password = PASSWORD): Promise<void> {
    await this.page.getByLabel('E-mail address').fill(`${name}@example.org`);
    await this.page.getByLabel('Password').fill(password);
    await this.press('Log in');
  }

  /** Opens a page and logs in on the way. */
  async goAs(name: string, path: string): Promise<void> {
    await this.go(path);
    await this.fillLogIn(name);
    await this.page.getByRole('navigation', { name: 'Account' }).waitFor();
  }

  /** Presses Tab until the element of this name and role has the focus. @throws after more presses than a page needs */
  async tabTo(role: string, name: RegExp): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      await this.page.keyboard.press('Tab');
      const focused = await this.page.evaluate(FOCUSED);
      if (focused.role === role && name.test(focused.name)) return;
    }
    throw new Error(`no ${role} ${name} is reached by Tab`);
  }

  /**
   * The violations that axe finds in the page as it is, one line each. It is evaluated by the debugger, so that the
   * policy of the page stays in force.
   */
  async violations(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    return this.page.evaluate(RUN_AXE);
  }

  /** The pixels by which the page is wider than its window. */
  overflow = (): Promise<number> =>
    this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Sources for the page: the tests know no types of browsers. */
const FOCUSED = `(() => {
  const { activeElement: one } = document;
  const roles = { A: 'link', BUTTON: 'button', SUMMARY: 'summary', SELECT: 'select', H1: 'heading' };
  const role = one.tagName === 'INPUT' ? one.type : (roles[one.tagName] ?? one.tagName);
  const name = one.ariaLabel ?? (one.labels?.[0] ?? one).textContent;
  return { role, name: name.trim() };
})()` as unknown as () => { role: string; name: string };
const RUN_AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target).join(' ')))` as unknown as () => string[];

/** A world with a browser, for one test file. */
export async function startConsole(
  environment: Record<string, string> = {},
): Promise<{ world: World; browser: Browser; stop: () => Promise<void> }> {
  const world = await World.start(environment);
  const browser = await launchBrowser();
  const stop = async (): Promise<void> => {
    await browser.close();
    await world.stop();
  };
  return { world, browser, stop };
}
