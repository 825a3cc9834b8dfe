import { type DemoClient } from './demo-client.js';
import { newPassword } from './create-user.js';

/** A caller that looks at the graph: the owner, or an app through a profile. */
export interface DemoViewer {
  name: string;
  /** A short description of the profile. */
  terms: string;
  client: DemoClient;
}

export interface Person extends DemoViewer {
  id: string;
  /** A node with personal data in its title, which shows redaction. */
  noteId?: string;
}

interface Tag {
  id: string;
  name: string;
  category: string | null;
}

const EVERYTHING = { tag_ids: [], allow_all: true };
const NOTHING = { tag_ids: [], allow_all: false };
const ALL_SCHEMAS = { schema_ids: [], allow_all: true };
const READING = { tags: { discover: true, read: true }, schemas: { read: ALL_SCHEMAS } };

export async function registerPerson(anonymous: DemoClient, username = 'owner'): Promise<Person> {
  const account = { email: `${username}@example.org`, username, password: newPassword() };
  const { body } = await anonymous.post('/auth/register', account);
  const client = anonymous.as({ Authorization: `Bearer ${body['access_token'] as string}` });
  return { name: 'the owner', terms: 'everything', client, id: (body['user'] as { id: string }).id };
}

/** Two apps of a developer: one sees part of the graph in outline, the other nearly all of it. */
export async function letAppsIn(anonymous: DemoClient, person: Person): Promise<DemoViewer[]> {
  const developer = await registerPerson(anonymous, 'developer');
  const tags = await busiestTags(person);
  const names = tags.map((tag) => tag.name).join(', ');
  person.noteId = await writeNote(person, tags.slice(0, 1));
  const excluded = 'resume/contact';
  const narrow = {
    tag_permissions: permissions(tags.map((tag) => tag.id)),
    schema_permissions: { read: ALL_SCHEMAS, write: NOTHING_OF_SCHEMAS },
    transformations: ['pii_redaction'],
    max_detail_level: 'summary',
  };
  const broad = {
    tag_permissions: permissions(null),
    schema_permissions: { read: ALL_SCHEMAS, write: NOTHING_OF_SCHEMAS },
    tag_filters: { include_all: [], include_any: [], exclude_any: [excluded] },
    max_detail_level: 'full',
  };
  return [
    await letIn(person, developer, {
      name: 'Outline app',
      terms: `tags ${names}; summary, personal data redacted`,
      profile: narrow,
    }),
    await letIn(person, developer, {
      name: 'Archive app',
      terms: `all but ${excluded}; full detail`,
      profile: broad,
    }),
  ];
}

const NOTHING_OF_SCHEMAS = { schema_ids: [], allow_all: false };

/** Permissions to discover and read these tags, or all of them. */
function permissions(tagIds: string[] | null) {
  const some = tagIds === null ? EVERYTHING : { tag_ids: tagIds, allow_all: false };
  return { discover: some, read: some, propose: NOTHING, edit: NOTHING, create: NOTHING };
}

async function letIn(
  person: Person,
  developer: Person,
  { name, terms, profile }: { name: string; terms: string; profile: object },
): Promise<DemoViewer> {
  const app = await developer.client.post('/apps', { name, requested_permissions: READING });
  const made = await person.client.post('/exposure-profiles', { name: `For ${name}`, ...profile });
  await person.client.post('/authorizations', {
    app_id: app.body['id'],
    exposure_profile_id: made.body['id'],
  });
  const headers = { 'X-API-Key': app.body['api_key'] as string, 'X-User-ID': person.id };
  return { name, terms, client: person.client.as(headers) };
}

/** The tag with the most nodes among the hand-written ones, and among those of the résumé. */
async function busiestTags({ client }: Person): Promise<Tag[]> {
  const tags = (await client.get('/tags?per_page=200')).body['tags'] as Tag[];
  const counted: { tag: Tag; count: number }[] = [];
  for (const tag of tags.filter(({ category, name }) => category === 'topic' || name.startsWith('resume/'))) {
    const { body } = await client.get(`/nodes/count?tag_ids=${tag.id}`);
    counted.push({ tag, count: body['count'] as number });
  }
  counted.sort((a, b) => b.count - a.count);
  return ['topic', 'resume'].flatMap(
    (category) => counted.find(({ tag }) => tag.category === category)?.tag ?? [],
  );
}

async function writeNote({ client }: Person, tags: Tag[]): Promise<string> {
  const { body } = await client.post('/nodes', {
    title: 'Ask jo@example.org or +44 20 7946 0958 how they did it',
    value: 'The other number is +44 20 7946 0111.',
    node_type: 'NOTE',
    tags: tags.map((tag) => tag.name),
  });
  return body['id'] as string;
}
