import { type Client } from '../support/client.js';
import { type ConsolePage, PASSWORD } from '../support/console.js';
import { DocumentSite } from '../support/document-site.js';
import { type OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { GOAL, READY, Suggestions, withConsole } from '../support/worlds/console.js';
import { codeOf, node, titlesOf } from '../support/worlds/nodes.js';
import { batch } from '../support/worlds/proposals.js';

let oauth: OAuthWorld;
let one: ConsolePage;
let ada: TestUser;
let app: Client;
let pages: Suggestions;
withConsole(async (scene) => {
  ({ oauth, one, ada } = scene);
  ({ app, pages } = await Suggestions.of(scene));
});

const titles = async (): Promise<string[]> => titlesOf(await ada.get('/nodes'));
const statusOf = async (id: string): Promise<string> => (await ada.get(`/proposals/${id}`)).body.status;

describe('suggestions in the console', () => {
  it('the start counts those that wait, the list names them, and an approved one is applied', async () => {
    const id = await pages.suggestGoal({ description: 'You wrote about sailing.' });
    await pages.suggestGoal({ title: 'Another one' });
    await one.goAs(ada.name, '');
    await one.page.getByRole('link', { name: 'Suggestions 2 suggestions wait for you.' }).click();
    await one.heading('Suggestions');
    await pages.seen('2 suggestions, newest first');
    const item = one.page.getByRole('listitem').filter({ hasText: 'A goal from your notes' });
    expect(await item.innerText()).toMatch(/Suggested just now by Reading list registered here$/m);
    await item.getByRole('link').click();
    await one.heading('A goal from your notes');
    await pages.seen('It says why: “You wrote about sailing.”');
    expect(await pages.change(1).innerText()).toMatch(
      /Add a note\s+Title\s+Learn to sail\s+Kind\s+goal\s+Tags\s+sea$/,
    );
    await pages.seen('which suggests this,');
    await pages.seen('the note “Learn to sail”');
    await one.press('Approve');
    await one.heading('Done: A goal from your notes');
    await pages.seen(/it was applied on .+ New: 1 note and 1 tag\./);
    await pages.change(1).getByText('Learn to sail').waitFor();
    expect([await statusOf(id), await titles()]).toEqual(['APPLIED', ['Learn to sail']]);
    await one.page.getByRole('link', { name: 'Suggestions' }).click();
    await pages.seen('1 suggestion, newest first');
    await one.page.getByText('Earlier suggestions').click();
    await pages.seen('approved and applied, just now');
    expect(one.errors).toEqual([]);
  });

  it('the number on the start counts no suggestion as seen, so that none is approved by it (rule 8.6b)', async () => {
    const id = await pages.suggestGoal();
    await app.patch(`/proposals/${id}`, { ...READY, canonical_data: { ...GOAL, title: 'Learn to row' } });
    await one.goAs(ada.name, '');
    await pages.seen('1 suggestion waits for you.');
    expect(codeOf(await ada.post(`/proposals/${id}/approve`, {}))).toEqual([409, 'REVISION_CONFLICT']);
    await one.go('/proposals');
    await pages.seen('1 suggestion, newest first');
    expect((await ada.post(`/proposals/${id}/approve`, {})).status).toBe(200);
  });

  it('a person rejects a suggestion by keyboard alone, with a reason that its app reads', async () => {
    const id = await pages.suggestGoal();
    await one.go(`/proposals/${id}`);
    await one.page.getByText('Log in to see what apps suggest').waitFor();
    await one.tabTo('email', /E-mail/);
    await one.page.keyboard.type(`${ada.name}@example.org`);
    await one.page.keyboard.press('Tab');
    await one.page.keyboard.type(PASSWORD);
    await one.page.keyboard.press('Enter');
    await one.heading('A goal from your notes');
    await one.tabTo('button', /^Reject/);
    await one.page.keyboard.press('Enter');
    await one.page.getByRole('dialog', { name: 'Reject this suggestion?' }).waitFor();
    expect(await one.violations()).toEqual([]);
    await one.page.keyboard.type('That was a joke');
    await one.page.keyboard.press('Enter');
    await one.heading('Rejected: A goal from your notes');
    expect(await one.page.evaluate('document.activeElement.tagName')).toBe('H1');
    await pages.seen('Your reason: “That was a joke”');
    expect((await app.get(`/proposals/${id}`)).body).toMatchObject({
      status: 'REJECTED',
      rejection_reason: 'That was a joke',
    });
    expect(await titles()).toEqual([]);
  });

  it('a person who gives up rejecting stays where they were, and nothing is decided', async () => {
    const id = await pages.suggestGoal();
    await pages.open(id);
    await one.press('Reject');
    await one.press('Cancel');
    await one.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await one.page.evaluate('document.activeElement.textContent')).toBe('Reject');
    expect(await statusOf(id)).toBe('READY_FOR_APPROVAL');
  });

  it('a suggestion that its app changed meanwhile is not applied until the person has seen it', async () => {
    const id = await pages.suggestGoal();
    await pages.open(id);
    const other = { ...READY, canonical_data: { ...GOAL, title: 'Learn to row' } };
    expect((await app.patch(`/proposals/${id}`, other)).status).toBe(200);
    await one.press('Approve');
    await one.page.getByRole('alert').getByText('This has changed since you opened it').waitFor();
    await pages.change(1).getByText('Learn to row').waitFor();
    expect(await one.violations()).toEqual([]);
    expect([await statusOf(id), await titles()]).toEqual(['READY_FOR_APPROVAL', []]);
    await one.press('Approve');
    await one.heading('Done: A goal from your notes');
    expect(await titles()).toEqual(['Learn to row']);
  });

  it('a suggestion that its app took back to work on it cannot be approved meanwhile', async () => {
    const id = await pages.suggestGoal();
    await pages.open(id);
    expect((await app.patch(`/proposals/${id}`, { status: 'PENDING' })).status).toBe(200);
    await one.press('Approve');
    await pages.seen('The app still works on this.');
    await one.page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
    expect(await titles()).toEqual([]);
    expect((await app.delete(`/proposals/${id}`)).status).toBe(200);
    await one.page.reload();
    await one.page.getByRole('alert').getByText('This is not here.').waitFor();
  });

  it('an approval that lets others see more asks for the password where the log-in is too old', async () => {
    const id = await pages.suggestGoal();
    let asked = 0;
    await one.page.route('**/approve', (route) => {
      if (asked++ > 0) return route.continue();
      const error = { code: 'REAUTHENTICATION_REQUIRED', message: 'A fresh log-in is needed' };
      return route.fulfill({ status: 401, json: { error } });
    });
    await pages.open(id);
    await one.press('Approve');
    const dialog = one.page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    expect(await titles()).toEqual([]);
    await one.press('Confirm');
    await one.heading('Done: A goal from your notes');
    expect(await titles()).toEqual(['Learn to sail']);
  });
});

describe('the changes of a suggestion', () => {
  it('each field is shown before and after, with names of notes and tags and without ids', async () => {
    const boat = await node(ada, { title: 'Boat', value: 'Red', tags: ['sea'] });
    const harbour = await node(ada, { title: 'Harbour' });
    const old = await node(ada, { title: 'Old harbour' });
    const facts = { metadata: { properties: { sails: 3 } } };
    const id = await pages.suggest(
      batch(
        ['UPDATE_NODE', { node_id: boat.id, changes: { value: 'Blue', ...facts } }],
        ['ADD_TAGS', { node_id: boat.id, tags: ['summer'] }],
        [
          'CREATE_RELATIONSHIP',
          { from_node_id: boat.id, to_node_id: harbour.id, relationship_type: 'lies in' },
        ],
        ['MERGE_NODES', { target_node_id: harbour.id, source_node_ids: [old.id] }],
      ),
    );
    await pages.open(id);
    const texts = [];
    for (const number of [1, 2, 3, 4])
      texts.push((await pages.change(number).innerText()).replaceAll(/\s+/g, ' '));
    expect(texts).toEqual([
      'Change 1 of 5 Change “Boat” Text Now Red After Blue Facts Now nothing After sails: 3',
      'Change 2 of 5 Change “Boat” Tags Now sea After sea summer',
      'Change 3 of 5 Connect two notes From “Boat” Connection lies in To “Harbour”',
      'Change 4 of 5 Merge 1 note into “Harbour” Their connections and tags move there, and these are deleted: “Old harbour”',
    ]);
    expect(await pages.change(5).innerText()).toContain('Delete “Old harbour”, which is merged');
    expect(await one.page.locator('main').innerText()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    await one.press('Approve');
    await one.heading('Done: A goal from your notes');
    expect((await ada.get(`/nodes/${boat.id}`)).body).toMatchObject({
      value: 'Blue',
      tags: ['sea', 'summer'],
    });
  });

  it('a change of what its person wrote meanwhile is named, and is not made', async () => {
    const { id: node_id } = await node(ada, { title: 'Boat', value: 'Red' });
    const id = await pages.suggest({
      type: 'UPDATE_NODE',
      canonical_data: { node_id, changes: { value: 'Blue' } },
    });
    await ada.patch(`/nodes/${node_id}`, { value: 'Green' });
    await pages.open(id);
    await pages.seen('Something here was written after this was suggested.');
    await pages.seen('changed meanwhile');
    await one.press('Approve');
    await one.heading('Not possible: A goal from your notes');
    await pages.seen('Nothing of this could be applied.');
    await pages.seen('The change of a note: something was written there after this was suggested.');
    expect(await one.violations()).toEqual([]);
    expect((await ada.get(`/nodes/${node_id}`)).body.value).toBe('Green');
  });

  it('characters that cannot be seen are warned of and marked, and texts are never HTML', async () => {
    const value = 'pay \u202Eecila\u202C now, \u200Bor spell [U+200B] <b id="planted">x</b>';
    const title = '<img src=x onerror=alert(1)>\u2066 suggestion';
    const id = await pages.suggestGoal({ title, description: value, canonical_data: { ...GOAL, value } });
    await pages.open(id, '<img src=x onerror=alert(1)>[U+2066] suggestion');
    const warning = one.page.getByRole('region', { name: 'There are characters that you cannot see' });
    expect((await warning.getByRole('listitem').allInnerTexts()).sort()).toEqual([
      expect.stringMatching(/^Change 1, Text: U\+202E RIGHT-TO-LEFT OVERRIDE, .*U\+200B ZERO WIDTH SPACE/),
      'The name of the suggestion: U+2066 LEFT-TO-RIGHT ISOLATE',
      expect.stringMatching(/^The reason of the app: U\+202E RIGHT-TO-LEFT OVERRIDE/),
    ]);
    const text = pages.change(1).locator('dd').filter({ hasText: 'pay' });
    expect(await text.innerText()).toBe(
      'pay [U+202E]ecila[U+202C] now, [U+200B]or spell [U+200B] <b id="planted">x</b>',
    );
    expect(await text.locator('mark').allInnerTexts()).toEqual(['[U+202E]', '[U+202C]', '[U+200B]']);
    expect(await one.page.locator('#planted, main img').count()).toBe(0);
    expect(await one.violations()).toEqual([]);
    expect(one.errors).toEqual([]);
  });

  it('a note with a similar title, a tag that looks like another one and who would see it are named', async () => {
    await node(ada, { title: 'Learn to sail', tags: ['private'] });
    const id = await pages.suggestGoal({ canonical_data: { ...GOAL, tags: ['priv\u0430te'] } });
    await pages.open(id);
    await pages.change(1).getByText('You have a note with the same title: “Learn to sail”').waitFor();
    const alike = one.page.getByRole('region', { name: 'New tags that look like others' });
    expect(await alike.innerText()).toContain('“priv\u0430te” is new, and looks like your tag “private”.');
    const sight = one.page.locator('section.card', { hasText: 'Who would see more' });
    expect((await sight.innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'Reading list, which suggests this, would newly see the note “Learn to sail”',
    );
  });

  it('values that an answer leaves out are shown when they are asked for', async () => {
    const large = (number: number): Record<string, unknown> => ({
      title: `large ${number}`,
      value: `sail ${'v '.repeat(45_000)}`,
      metadata: { text: 'm '.repeat(120_000) },
      node_type: 'note',
    });
    const { body } = await ada.post('/nodes/batch', {
      nodes: Array.from({ length: 14 }, (_, at) => large(at)),
    });
    const ids = (body.created as { id: string }[]).map(({ id }) => id);
    const id = await pages.suggest(
      batch(...ids.map((node_id): [string, Record<string, unknown>] => ['DELETE_NODE', { node_id }])),
    );
    await pages.open(id);
    await pages.change(14).getByText('It changes Title, Text, Kind').waitFor();
    await pages.change(14).getByRole('button', { name: 'Show it' }).click();
    await pages.change(14).getByText('sail v v v').waitFor();
    expect(await pages.change(14).getByRole('button', { name: 'Show it' }).count()).toBe(0);
  });

  it('a long text is shown at the place that changes, and whole when it is asked for', async () => {
    const text = (end: string): string => `begin ${'word '.repeat(2_000)}${end} ${'more '.repeat(2_000)}`;
    const { id: node_id } = await node(ada, { title: 'Log', value: text('calm') });
    const changes = { value: text('storm') };
    await pages.open(await pages.suggest({ type: 'UPDATE_NODE', canonical_data: { node_id, changes } }));
    const [before, after] = await pages.change(1).locator('dd').allInnerTexts();
    expect([before, after]).toEqual([expect.stringContaining('calm'), expect.stringContaining('storm')]);
    expect(after).not.toContain('begin');
    await pages.change(1).getByRole('button', { name: 'Show all 20,012 characters' }).click();
    await pages.change(1).locator('dd').last().getByText('begin').waitFor();
  });

  it('an app that describes itself on its own site is named with its host', async () => {
    const site = await DocumentSite.start();
    const client = site.serve('/client.json', { client_name: 'Reader', redirect_uris: [REDIRECT_URI] });
    const tokens = await oauth.connect(client, ada, { parameters: { scope: 'graph:propose' } });
    const id = await new Suggestions(oauth.with(tokens.access_token), ada, one).suggestGoal();
    await pages.open(id);
    await pages.seen(/^Suggested .+ by Reader/);
    expect(await one.page.locator('.lead .host').innerText()).toBe(new URL(client).host);
    site.stop();
  });
});
