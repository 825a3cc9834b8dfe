import { type ConsolePage } from '../support/console.js';
import { type OAuthWorld } from '../support/oauth.js';
import { until } from '../support/until.js';
import { type TestUser } from '../support/world.js';
import { type ConsoleScene, titlesSeenBy, withConsole, writesGoals } from '../support/worlds/console.js';
import { proposed } from '../support/worlds/proposals.js';

let oauth: OAuthWorld;
let one: ConsolePage;
let ada: TestUser;
let app: ConsoleScene['app'];
withConsole(async (scene) => {
  ({ oauth, one, ada, app } = scene);
  await writesGoals(ada);
});

const asking = (parameters: Record<string, string>) => oauth.request(app.id, parameters);
const titlesFor = (token: string) => titlesSeenBy(oauth.with(token));

describe('the page of a connected app', () => {
  it('shows the devices and uses of an app, narrows it, and ends it', async () => {
    const tokens = await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read graph:propose' } });
    await oauth.with(tokens.access_token).get('/nodes?limit=2');
    await one.goAs(ada.name, '/apps');
    await one.page.getByText('May read notes with their files and suggest changes.').waitFor();
    await one.page.getByRole('link', { name: 'Reading list' }).click();
    await one.heading('Reading list');
    await one.page.getByText('See as this app').click();
    await one.page.getByText('3 notes, as the app sees them').waitFor();
    expect(await one.violations()).toEqual([]);
    await one.page.getByText('Allow less').click();
    await one.page.getByRole('checkbox', { name: 'Suggest changes' }).uncheck();
    await one.page.getByText('To let it do more, connect it again').waitFor();
    await one.press('Save');
    await one.page.getByRole('status').getByText('Saved: it may do less').waitFor();
    await one.page.getByText('Nothing happens until you approve').waitFor({ state: 'detached' });
    expect((await ada.get('/authorizations?status=active')).body.authorizations[0].scopes).toEqual([
      'graph:read',
    ]);
    await one.press('Disconnect a device without a name');
    await one.page.getByRole('dialog', { name: 'Disconnect a device without a name?' }).waitFor();
    expect(await one.violations()).toEqual([]);
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(200);
    await one.press('Disconnect it');
    await one.page.getByRole('status').getByText('A device without a name is disconnected.').waitFor();
    await one.page.getByRole('button', { name: /^Disconnect/ }).waitFor({ state: 'detached' });
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(401);
    await one.press('End this connection');
    const dialog = one.page.getByRole('dialog', { name: 'End “Reading list”?' });
    await dialog.waitFor();
    expect(await one.violations()).toEqual([]);
    await one.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await one.press('End this connection');
    await one.press('End it');
    await one.heading('Connected apps');
    await one.page.getByText('No app is connected.').waitFor();
    expect((await ada.get('/authorizations?status=active')).body.total).toBe(0);
    await one.page.getByText('Ended (1)').click();
    await one.page.getByRole('link', { name: 'Reading list' }).click();
    await one.page.getByText('This connection has ended on').waitFor();
    await one.page.getByRole('heading', { name: 'What it could do' }).waitFor();
    for (const live of ['How long', 'What it may see', 'Where it is connected', 'End this connection'])
      expect(await one.page.getByText(live).count()).toBe(0);
    expect(await one.violations()).toEqual([]);
  });

  it('a device whose code was used twice is shown as perhaps copied, with what it read before', async () => {
    const { request, verifier } = await asking({ scope: 'graph:read' });
    const back = await oauth.allow(ada, request);
    const { body } = await oauth.redeem(app.id, back, verifier);
    expect((await oauth.with(body.access_token).get('/nodes')).status).toBe(200);
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await one.goAs(ada.name, `/apps/${id}`);
    await one.page.getByRole('button', { name: 'Disconnect a device without a name' }).waitFor();
    expect(await one.page.getByText('may have been copied').count()).toBe(0);
    expect((await oauth.redeem(app.id, back, verifier)).status).toBe(400);
    await one.page.reload();
    await one.page.getByText('Somebody may have copied a key of this app.').waitFor();
    await one.page.getByText('On no device.').waitFor();
    await one.page.getByText('No longer connected').click();
    await one.page.getByText(/: its key may have been copied/).waitFor();
    // A process writes what it has noted within two seconds.
    await until(async () => (await ada.get('/access-log')).body.total > 0, 'the read is logged');
    await one.page.reload();
    await one.page.getByText(/Read “.+”.* on a device without a name/).waitFor();
    expect(await one.violations()).toEqual([]);
    expect(one.errors).toEqual([]);
  });

  it('the end and the profile of a connected app are changed, and what it did has names of notes', async () => {
    const tokens = await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read' } });
    await oauth.with(tokens.access_token).get('/nodes');
    const profile = await ada.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'Another',
    });
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await until(async () => (await ada.get('/access-log')).body.total > 0, 'the read is logged');
    await one.goAs(ada.name, `/apps/${id}`);
    await one.page.getByText('Show it something else').click();
    await one.page.getByRole('radio', { name: /^everything \d+ used now/ }).waitFor();
    await one.page.getByRole('radio', { name: /^Another/ }).check();
    await one.press('Show it this');
    await one.page.getByRole('status').getByText('sees your graph through “Another”').waitFor();
    await one.page.getByText('through the profile “Another”').waitFor();
    await one.page.getByText('Change the end').click();
    await one.press('In a year');
    await one.page.getByText('It ends by itself on').waitFor();
    await one.page.getByRole('status').getByText('Saved: it ends on').waitFor();
    const changed = (await ada.get(`/authorizations/${id}`)).body;
    expect(changed.exposure_profile_id).toBe(profile.body.id);
    expect(Math.round((Date.parse(changed.expires_at) - Date.now()) / 86_400_000)).toBe(365);
    await one.page.getByText(/Read “.+”, “.+”,? and “.+”/).waitFor();
  });

  it('each use of an app is said in words, with links to the pages of notes', async () => {
    const parameters = { scope: 'graph:read graph:propose' };
    const tokens = await oauth.connect(app.id, ada, { parameters });
    const client = oauth.with(tokens.access_token);
    await client.post('/nodes/search', { query: 'zeppelin' });
    await client.get('/tags');
    await proposed(client, { canonical_data: { title: 'New', node_type: 'NOTE' } });
    const [node] = (await client.get('/nodes?limit=1')).body.nodes as { id: string; title: string }[];
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await until(async () => (await ada.get('/access-log')).body.total > 3, 'all four uses are logged');
    await one.goAs(ada.name, `/apps/${id}`);
    const uses = one.page.locator('section', { hasText: 'What it did last' }).getByRole('listitem');
    await uses.first().waitFor();
    const said = (await uses.allInnerTexts()).map((text) => text.replace(/^.*?[AP]M /, ''));
    const expected = [
      `Read “${node?.title}” on a device without a name`,
      'Read the list of tags on a device without a name',
      'Searched, and found no notes on a device without a name',
      'Suggested a change on a device without a name',
    ];
    expect(said.sort()).toEqual(expected.sort());
    await one.page.getByRole('link', { name: `“${node?.title}”` }).click();
    await one.page.waitForURL(`**/console/notes/${node?.id}`);
  });

  it('a connected app is shown other notes only after its person has seen them and saved', async () => {
    const tokens = await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read' } });
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await one.goAs(ada.name, `/apps/${id}`);
    await one.tabTo('summary', /Show it something else/);
    await one.page.keyboard.press('Enter');
    await one.tabTo('radio', /^everything/);
    await one.page.keyboard.press('ArrowDown');
    await one.page.getByText('Choose at least one tag').waitFor();
    await one.tabTo('checkbox', /^sailing/);
    await one.page.keyboard.press('Space');
    await one.page
      .locator('.seen')
      .getByText(/2\s*of 3 notes/)
      .waitFor();
    expect(await one.page.locator('.seen').getByText('Learn to sail').count()).toBe(1);
    expect(await one.violations()).toEqual([]);
    expect((await titlesFor(tokens.access_token)).length).toBe(3);
    await one.tabTo('button', /Show it this/);
    await one.page.keyboard.press('Enter');
    await one.page.getByRole('status').getByText('sees your graph through “For Reading list”').waitFor();
    await one.page.getByText('through the profile “For Reading list”').first().waitFor();
    expect(await titlesFor(tokens.access_token)).toEqual(['Harbour fees', 'Learn to sail']);
    expect(one.errors).toEqual([]);
  });
});
