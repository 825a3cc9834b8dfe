import { type Browser } from 'playwright-core';
import { type components } from '../../clients/typescript/src/index.js';
import { ConsolePage, PASSWORD, startConsole } from '../support/console.js';
import { type TestUser, type World } from '../support/world.js';

let world: World;
let browser: Browser;
let stop: () => Promise<void>;
let one: ConsolePage;
let ada: TestUser;
let profiles: Record<'sailing' | 'work' | 'all', string>;
beforeAll(async () => {
  ({ world, browser, stop } = await startConsole());
  ada = await world.user();
  profiles = await fill(ada);
});
afterAll(() => stop?.());
beforeEach(async () => {
  one = await ConsolePage.open(browser, world.origin);
});
afterEach(() => one.close());

const NOTES: [title: string, node_type: string, tag: string, value: string][] = [
  ['Learn to sail', 'GOAL', 'sailing', 'Write to ingrid@example.org.'],
  ['Harbour fees', 'NOTE', 'sailing', '220 a month'],
  ['Quarterly review', 'NOTE', 'work', 'What went well'],
  ['Dentist on Tuesday', 'NOTE', 'health', 'Bring the card'],
];

async function fill(user: TestUser): Promise<typeof profiles> {
  for (const [title, node_type, tag, value] of NOTES)
    await user.post('/nodes', { title, node_type, tags: [tag], value });
  const { tags } = (await user.get('/tags')).body as { tags: { id: string; name: string }[] };
  const id = (name: string) => tags.find((tag) => tag.name === name)?.id as string;
  const rules = (name: string) => {
    const of = { tag_ids: [id(name)], allow_all: false };
    return {
      tag_permissions: { discover: of, read: of, propose: of },
      schema_permissions: { read: { allow_all: true }, write: { allow_all: true } },
      transformations: [{ type: 'pii_redaction', config: { entities: ['email'] } }],
    };
  };
  const make = async (name: string, tag: string): Promise<string> =>
    (await user.post('/exposure-profiles', { name, ...rules(tag) })).body.id as string;
  const all = await user.post('/exposure-profiles/from-template', { template: 'transparent', name: 'All' });
  return { sailing: await make('Boats', 'sailing'), work: await make('Work', 'work'), all: all.body.id };
}

type Asked = components['schemas']['ConsentDto'];
const CLIENT: Asked['client'] = {
  app_id: '0197b1f2-0000-7000-8000-000000000000',
  name: 'Claude Code',
  kind: 'document',
  host: 'claude.ai',
  verified: true,
  homepage_url: null,
};
/** An answer of GET /oauth/consent. */
const asked = (changes: Partial<Asked> = {}): Asked => ({
  client: CLIENT,
  returns_to: { uri: 'http://localhost:51234/callback', host: 'localhost:51234', kind: 'this_computer' },
  scopes: [
    { scope: 'graph:read', required: true },
    { scope: 'graph:propose', required: false },
    { scope: 'graph:edit', required: false },
  ],
  permissions: {
    schemas: { read: { allow_all: true, schema_ids: [] }, write: { allow_all: true, schema_ids: [] } },
  },
  purpose: 'Weekly review of goals',
  expires_in_days: 90,
  profiles: [
    { id: profiles.all, name: 'All', is_default: false, lacks: [] },
    { id: profiles.sailing, name: 'Boats', is_default: false, lacks: ['graph:edit'] },
    { id: profiles.work, name: 'Work', is_default: false, lacks: ['graph:edit'] },
  ],
  existing: null,
  user: { id: ada.id, username: ada.name },
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  ...changes,
});

interface Answered {
  request: string;
  decision: string;
  scopes?: string[];
  exposure_profile_id?: string;
  new_profile?: {
    name: string;
    tag_permissions: Record<string, { tag_ids: string[] }>;
    allowed_node_types: string[];
  };
  expires_at?: string | null;
}
/** The looks of a button, in the page. */
const LOOKS = `(button) => {
  const { width, height } = button.getBoundingClientRect();
  const { color, backgroundColor, borderColor, fontWeight } = getComputedStyle(button);
  return { width, height, color, backgroundColor, borderColor, fontWeight };
}`;
const CALLBACK = 'http://localhost:51234/callback?code=abc';

/** Answers for the page in the place of the authorization server, and what the page decides. */
async function serve(
  consent: object | number = asked(),
  redirect: string | null = CALLBACK,
): Promise<Answered[]> {
  const answered: Answered[] = [];
  await one.page.route(`${CALLBACK.split('?')[0]}**`, (route) => route.fulfill({ body: 'back in the app' }));
  await one.page.route('**/api/v1/oauth/consent**', (route) => {
    if (route.request().method() === 'POST') {
      answered.push(route.request().postDataJSON() as Answered);
      return route.fulfill({ json: { redirect_to: redirect } });
    }
    if (typeof consent !== 'number') return route.fulfill({ json: consent });
    const error = { code: 'CONSENT_EXPIRED', message: 'The request has expired', request_id: 'x' };
    return route.fulfill({ status: consent, json: { error } });
  });
  return answered;
}
const TITLE = 'Let “Claude Code” use your graph?';
const open = async (): Promise<void> => {
  await one.goAs(ada.name, '/consent?request=signed.text');
  await one.heading(TITLE);
};
const seen = (text: string | RegExp) => one.page.locator('.seen').getByText(text).first().waitFor();
const radio = (name: string | RegExp) => one.page.getByRole('radio', { name });
const box = (name: string | RegExp) => one.page.getByRole('checkbox', { name });

describe('the consent page', () => {
  it('says who asks, where the answer goes and who the person is, and survives the log-in', async () => {
    await serve();
    await open();
    const who = await one.page.getByRole('region', { name: 'Who asks' }).innerText();
    expect(who).toContain('Claude Code, identified by claude.ai');
    expect(who).toContain('to a program on this computer (port 51234)');
    expect(who).toContain('“Weekly review of goals”');
    expect(who).toContain(ada.name);
    expect(one.page.url()).toBe(`${world.origin}/console/consent?request=signed.text`);
    expect(await one.violations()).toEqual([]);
  });

  it('leaves writes unchecked, offers suggesting first, and chooses no profile for the person', async () => {
    await serve();
    await open();
    expect(await box('Suggest changes').isChecked()).toBe(true);
    expect(await box('Change notes').isChecked()).toBe(false);
    expect(await box(/Read notes/).count()).toBe(0);
    for (const name of [/^All shows/, /^Boats/, /^Work/]) expect(await radio(name).isChecked()).toBe(false);
    expect(await radio('90 days').isChecked()).toBe(true);
  });

  it('describes each profile by its tags, kinds and masks, and names the apps that use it', async () => {
    await serve();
    await open();
    const said = (name: RegExp) => one.page.locator('label', { has: radio(name) }).innerText();
    expect(await said(/^Boats/)).toContain('Notes tagged “sailing”; some parts masked.');
    expect(await said(/^All shows/)).toContain('All notes; also what people you know share with you.');
  });

  it('chooses the profile by which the app is connected already, unless it shows everything', async () => {
    const existing = (id: string, name: string): Asked['existing'] => ({
      authorization_id: ada.id,
      exposure_profile: { id, name },
      scopes: ['graph:read'],
      expires_at: null,
      sessions: 1,
    });
    await serve(asked({ existing: existing(profiles.work, 'Work') }));
    await open();
    expect(await radio(/^Work used now/).isChecked()).toBe(true);
    await one.page.unroute('**/api/v1/oauth/consent**');
    await serve(asked({ existing: existing(profiles.all, 'All') }));
    await one.page.reload();
    await one.heading(TITLE);
    expect(await radio(/^All used now/).isChecked()).toBe(false);
  });

  it('chooses a new profile where only one that shows everything would do', async () => {
    await serve(asked({ profiles: [{ id: profiles.all, name: 'All', is_default: true, lacks: [] }] }));
    await open();
    for (const open of [/^All shows/, /^All my notes/]) expect(await radio(open).isChecked()).toBe(false);
    expect(await radio(/Only notes that I pick now/).isChecked()).toBe(true);
    await one.page.getByText('choose at least one tag').waitFor();
  });

  it('counts the notes and shows them as the app would see them, masks included', async () => {
    await serve();
    await open();
    await radio(/^Boats/).check();
    await seen(/2\s*of 4 notes/);
    await seen('[REDACTED:email]');
    await radio(/^Work/).check();
    await seen(/1\s*of 4 notes/);
    await seen('Quarterly review');
  });

  it('a profile that lacks a checked permission cannot be chosen, and says why', async () => {
    const answered = await serve();
    await open();
    await radio(/^Boats/).check();
    await box('Change notes').check();
    await one.page.getByText('Does not let an app change notes').first().waitFor();
    expect(await radio(/^Work/).isDisabled()).toBe(true);
    await one.page.getByText('Choose another one, or take the check away').waitFor();
    await one.page.getByRole('button', { name: 'Allow' }).focus();
    await one.page.keyboard.press('Enter');
    await one.page.getByText('Choose another one, or take the check away').waitFor();
    expect(answered).toEqual([]);
    await box('Change notes').uncheck();
    expect(await one.page.getByRole('button', { name: 'Allow' }).getAttribute('aria-disabled')).toBe('false');
  });

  it('reading notes includes their files, and files alone have a line of their own', async () => {
    const scopes = ['graph:read', 'files:read', 'graph:propose'] as const;
    await serve(asked({ scopes: scopes.map((scope) => ({ scope, required: false })) }));
    await open();
    expect(await box('Open files').count()).toBe(0);
    await box('Read notes with their files').uncheck();
    expect(await box('Open files').isChecked()).toBe(true);
    await box('Open files').uncheck();
    await one.page.locator('.seen').getByText('It reads no notes.').waitFor();
  });

  it('Allow by one click sends what the page showed, and goes back to the app', async () => {
    const answered = await serve();
    await open();
    await radio(/^Boats/).check();
    await one.press('Allow');
    await one.page.getByText('back in the app').waitFor();
    expect(answered).toEqual([
      {
        request: 'signed.text',
        decision: 'allow',
        scopes: ['graph:read', 'graph:propose'],
        exposure_profile_id: profiles.sailing,
        expires_at: expect.any(String),
      },
    ]);
    const days = (Date.parse(String(answered[0]?.expires_at)) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  it('Deny sends no terms, weighs as much as Allow, and goes back to the app', async () => {
    const answered = await serve();
    await open();
    const [deny, allow] = await Promise.all(
      ['Deny', 'Allow'].map((name) => one.page.getByRole('button', { name }).evaluate(LOOKS)),
    );
    expect(deny).toEqual(allow);
    await one.press('Deny');
    await one.page.getByText('back in the app').waitFor();
    expect(answered).toEqual([{ request: 'signed.text', decision: 'deny' }]);
  });

  it('a new profile of tags and kinds is made by keyboard alone, and its notes are counted', async () => {
    const answered = await serve();
    await one.go('/consent?request=signed.text');
    await one.tabTo('email', /E-mail/);
    await one.page.keyboard.type(`${ada.name}@example.org`);
    await one.page.keyboard.press('Tab');
    await one.page.keyboard.type(PASSWORD);
    await one.page.keyboard.press('Enter');
    await one.heading(TITLE);
    await one.tabTo('radio', /Only notes that I pick now/);
    expect(await radio(/Only notes that I pick now/).isChecked()).toBe(true);
    await box(/^sailing/).waitFor();
    await one.tabTo('checkbox', /^sailing/);
    await one.page.keyboard.press('Space');
    await seen(/2\s*of 4 notes/);
    await one.tabTo('summary', /Only some kinds/);
    await one.page.keyboard.press('Enter');
    await one.tabTo('checkbox', /^goal/);
    await one.page.keyboard.press('Space');
    await seen(/1\s*of 4 notes/);
    expect(await one.violations()).toEqual([]);
    await one.tabTo('radio', /^90 days/);
    await one.page.keyboard.press('ArrowRight');
    await one.page.keyboard.press('ArrowRight');
    await one.tabTo('button', /^Allow/);
    await one.page.keyboard.press('Enter');
    await one.page.getByText('back in the app').waitFor();
    expect(answered).toMatchObject([
      {
        decision: 'allow',
        new_profile: {
          name: 'For Claude Code',
          tag_permissions: { read: { tag_ids: [expect.any(String)] }, edit: { tag_ids: [] } },
          allowed_node_types: ['GOAL'],
        },
        expires_at: null,
      },
    ]);
    // The service takes the profile as it is.
    expect((await ada.post('/exposure-profiles', answered[0]?.new_profile)).status).toBe(201);
  });

  it('asks for the password where the log-in is too old, and repeats the decision', async () => {
    let isFresh = false;
    await serve();
    await one.page.route('**/api/v1/oauth/consent', (route) => {
      if (isFresh) return route.fallback();
      isFresh = true;
      const error = {
        code: 'REAUTHENTICATION_REQUIRED',
        message: 'A fresh log-in is needed',
        request_id: 'x',
      };
      return route.fulfill({ status: 401, json: { error } });
    });
    await open();
    await radio(/^Boats/).check();
    await one.press('Allow');
    const dialog = one.page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.waitFor();
    expect(await one.violations()).toEqual([]);
    await dialog.getByLabel('Password').fill('a wrong password');
    await one.press('Confirm');
    await dialog.getByRole('alert').locator('p').waitFor();
    await dialog.getByLabel('Password').fill(PASSWORD);
    await one.press('Confirm');
    await one.page.getByText('back in the app').waitFor();
  });

  it('a person who gives up the proof of identity stays on the page, and nothing is decided', async () => {
    const answered = await serve();
    await one.page.route('**/api/v1/oauth/consent', (route) => {
      const error = {
        code: 'REAUTHENTICATION_REQUIRED',
        message: 'A fresh log-in is needed',
        request_id: 'x',
      };
      return route.fulfill({ status: 401, json: { error } });
    });
    await open();
    await radio(/^Boats/).check();
    await one.press('Allow');
    await one.page.getByRole('dialog').waitFor();
    await one.page.keyboard.press('Escape');
    await one.page.getByRole('dialog').waitFor({ state: 'detached' });
    await one.heading(TITLE);
    expect(answered).toEqual([]);
    expect(
      await one.page.getByRole('button', { name: 'Allow' }).evaluate('document.activeElement.textContent'),
    ).toBe('Allow');
  });

  it('warns of an app that nobody has verified, and of one that is connected already', async () => {
    const client: Asked['client'] = { ...CLIENT, kind: 'dynamic', host: null, verified: false };
    const existing = {
      authorization_id: ada.id,
      exposure_profile: { id: profiles.work, name: 'Work' },
      scopes: ['graph:read'],
      expires_at: null,
      sessions: 2,
    };
    await serve(asked({ client, existing }));
    await open();
    await one.page.getByText('An app that calls itself').waitFor();
    await one.page.getByText('not verified').waitFor();
    await one.page.getByText(/connected already, on 2 devices/).waitFor();
    expect(await one.violations()).toEqual([]);
  });

  it('an expired request says so, and how to begin again', async () => {
    await serve(400);
    await one.goAs(ada.name, '/consent?request=old');
    await one.page.getByRole('alert').getByText('Go back to the app and begin again there').waitFor();
    expect(await one.violations()).toEqual([]);
    await one.go('/consent');
    await one.heading('Nothing to decide');
  });

  it('texts of an app are shown as text', async () => {
    const name = '<img src=x onerror=alert(1)><b id="planted">x</b>';
    await serve(asked({ client: { ...CLIENT, name }, purpose: name }));
    await one.goAs(ada.name, '/consent?request=x');
    await one.heading(`Let “${name}” use your graph?`);
    expect(await one.page.locator('#planted').count()).toBe(0);
    expect(one.errors).toEqual([]);
  });
});

describe('codes of devices', () => {
  const devices = async (status: number): Promise<string[]> => {
    const codes: string[] = [];
    await one.page.route('**/api/v1/oauth/device', (route) => {
      codes.push((route.request().postDataJSON() as { user_code: string }).user_code);
      const error = { code: 'NOT_FOUND', message: 'No device', request_id: 'x' };
      return route.fulfill({ status, json: status === 200 ? { request: 'of.device' } : { error } });
    });
    return codes;
  };

  it('a code in the address is filled in, and leads to the consent, whose end connects the device', async () => {
    const codes = await devices(200);
    await serve(asked({ returns_to: { uri: null, host: null, kind: 'device' } }), null);
    await one.goAs(ada.name, '/device?user_code=bcdfghjk');
    expect(await one.page.getByLabel('Code').inputValue()).toBe('BCDF-GHJK');
    expect(await one.violations()).toEqual([]);
    await one.press('Continue');
    await one.heading(TITLE);
    await one.page.getByText('to the device that shows your code').waitFor();
    await radio(/^Boats/).check();
    await one.press('Allow');
    await one.heading('Your device is connected');
    expect(await one.violations()).toEqual([]);
    expect(codes).toEqual(['BCDF-GHJK']);
  });

  it('an unknown code says what to do, and stays in the field', async () => {
    await devices(404);
    await one.goAs(ada.name, '/device');
    await one.page.getByLabel('Code').fill('zzzz zzzz');
    await one.press('Continue');
    await one.page.getByRole('alert').getByText('No device waits with this code').waitFor();
    expect(await one.page.getByLabel('Code').inputValue()).toBe('zzzz zzzz');
  });
});
