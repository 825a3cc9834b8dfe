import { type ConsolePage, PASSWORD } from '../support/console.js';
import { type OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { GOAL, Suggestions, withConsole } from '../support/worlds/console.js';
import { node, titlesOf } from '../support/worlds/nodes.js';
import { batch } from '../support/worlds/proposals.js';

let oauth: OAuthWorld;
let one: ConsolePage;
let ada: TestUser;
let pages: Suggestions;
withConsole(async (scene) => {
  ({ oauth, one, ada } = scene);
  ({ pages } = await Suggestions.of(scene));
});

const titles = async (): Promise<string[]> => titlesOf(await ada.get('/nodes'));

describe('suggestions after their decision or the end of their app', () => {
  it('an applied suggestion links its notes, and is undone with what others wrote since left in place', async () => {
    const { id: node_id } = await node(ada, { title: 'Boat', value: 'Red' });
    const { id: other } = await node(ada, { title: 'Harbour', value: 'Old' });
    const id = await pages.suggest(
      batch(
        ['CREATE_NODE', GOAL],
        ['UPDATE_NODE', { node_id, changes: { value: 'Blue' } }],
        ['UPDATE_NODE', { node_id: other, changes: { value: 'New' } }],
      ),
    );
    await pages.open(id);
    await one.press('Approve');
    await one.heading('Done: A goal from your notes');
    expect(await pages.change(2).innerText()).toMatch(/Before\s+Red\s+After\s+Blue/);
    const notes = one.page.locator('section.card', { hasText: 'Open the notes' });
    await notes.getByRole('listitem').nth(2).waitFor();
    expect(await notes.getByRole('listitem').allInnerTexts()).toEqual([
      '“Learn to sail” new',
      '“Boat”',
      '“Harbour”',
    ]);
    await one.tabTo('link', /Boat/);
    await one.page.keyboard.press('Enter');
    await one.heading('Boat');
    await pages.seen('Blue');
    await ada.patch(`/nodes/${other}`, { value: 'Newer' });
    await one.page.goBack();
    await one.heading('Done: A goal from your notes');
    await one.press('Undo this');
    await one.press('Undo it');
    await one.heading('Undone: A goal from your notes');
    await pages.seen(/It was undone on /);
    await pages.seen('A note (Text): it has changed since.');
    expect(await one.violations()).toEqual([]);
    expect(await one.page.getByRole('button', { name: 'Undo this' }).count()).toBe(0);
    expect(await titles()).toEqual(expect.not.arrayContaining(['Learn to sail']));
    const values = [node_id, other].map(
      async (each) => (await ada.get(`/nodes/${each}`)).body.value as string,
    );
    expect(await Promise.all(values)).toEqual(['Red', 'Newer']);
    await one.page.goto(`${oauth.world.origin}/console/proposals/${id}`);
    await one.heading('Undone: A goal from your notes');
  });

  it('undoing asks for the password where the log-in is too old', async () => {
    const id = await pages.suggestGoal();
    await ada.get(`/proposals/${id}/diff`);
    expect((await ada.post(`/proposals/${id}/approve`, { apply: true })).status).toBe(200);
    let asked = 0;
    await one.page.route('**/revert', (route) => {
      if (asked++ > 0) return route.continue();
      const error = { code: 'REAUTHENTICATION_REQUIRED', message: 'A fresh log-in is needed' };
      return route.fulfill({ status: 401, json: { error } });
    });
    await pages.open(id, 'Done: A goal from your notes');
    await one.press('Undo this');
    await one.press('Undo it');
    const dialog = one.page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await one.press('Confirm');
    await one.heading('Undone: A goal from your notes');
    expect(await titles()).toEqual([]);
  });

  it('a suggestion of an app whose access has ended says that it is no longer connected', async () => {
    await pages.suggestGoal();
    const { body } = await ada.get('/authorizations?status=active');
    expect((await ada.delete(`/authorizations/${body.authorizations[0].id}`)).status).toBe(200);
    await one.goAs(ada.name, '/proposals');
    const item = one.page.getByRole('listitem').filter({ hasText: 'A goal from your notes' });
    expect(await item.innerText()).toMatch(/by Reading list registered here no longer connected$/m);
    await item.getByRole('link').click();
    await one.heading('A goal from your notes');
    await pages.seen('This app is no longer connected to your graph');
    expect(await one.violations()).toEqual([]);
    await one.press('Approve');
    await one.heading('Done: A goal from your notes');
    expect(await titles()).toEqual(['Learn to sail']);
  });

  it('a deletion says in words which note goes, and what it says', async () => {
    const { id: node_id } = await node(ada, { title: 'Boat', value: 'Red', tags: ['sea'] });
    await pages.open(await pages.suggest({ type: 'DELETE_NODE', canonical_data: { node_id } }));
    expect((await pages.change(1).innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^Change 1 of 1 Delete the note “Boat” Its text: “ ?Red ?” You can undo this after you have approved it\./,
    );
    expect(await pages.change(1).locator('dt').allInnerTexts()).not.toContain('Title');
    await one.press('Approve');
    await one.heading('Done: A goal from your notes');
    expect(await titles()).toEqual([]);
    await one.press('Undo this');
    await one.press('Undo it');
    await one.heading('Undone: A goal from your notes');
    expect(await titles()).toEqual(['Boat']);
  });
});
