import { exposureOf } from '../../../../test/support/exposures.js';
import { type NodeFields, slicesWithoutEnd } from '../../common/index.js';
import { changesShownContents, type StepOutline, versionVisibility } from './version-visibility.js';
import {
  type Access,
  ownerAccess,
  RAW_FILE_SCHEMA_ID,
  TagVocabulary,
  visibility,
} from '../../../privacy/index.js';
import { Node, type NodeRevision } from './node.js';

const born = new Date('2026-01-01T10:00:00.000Z');
const later = new Date('2026-01-02T10:00:00.000Z');
const KNOWN = 'aaaaaaaa-0000-7000-8000-000000000000';
const HIDDEN = 'bbbbbbbb-0000-7000-8000-000000000000';

const owner = ownerAccess({
  ownerId: 'owner',
  vocabulary: new TagVocabulary([
    { id: KNOWN, name: 'known', deleted: false },
    { id: HIDDEN, name: 'hidden', deleted: false },
  ]),
  key: 'key',
  changes: 0,
  policy: 0,
});

function narrow(transformations: unknown = [], more: Partial<Access> = {}): Access {
  const discover = { allowAll: false, allowNew: false, tagIds: new Set([KNOWN]) };
  return {
    ...owner,
    isUserKey: false,
    isOwner: false,
    tags: { ...owner.tags, discover },
    exposure: exposureOf(transformations),
    ...more,
  };
}

const node = (fields: Partial<NodeFields> = {}): Node =>
  Node.create(
    { title: 'Sailing', node_type: 'note', value: 'text', ...fields },
    { ownerId: 'owner', id: 'id', createdAt: born },
  );

function outlineOf(before: Node, { node: after, action, changedFields }: NodeRevision): StepOutline {
  const fields = changedFields && Object.keys(changedFields);
  return { action, fields, before: before.facts, after: after.facts };
}

/** True if the step of an edit is shown to this caller. */
async function isShown(access: Access, before: Node, fields: Partial<NodeFields>): Promise<boolean> {
  const revision = before.change(fields, later) as NodeRevision;
  const verdict = versionVisibility(access, outlineOf(before, revision));
  if (verdict !== 'compare') return verdict === 'shown';
  const contents = { after: revision.node.snapshot(), changedFields: revision.changedFields ?? {} };
  return changesShownContents(access, contents, slicesWithoutEnd());
}

const masking = (...paths: string[]) => [{ type: 'field_mask', config: { paths } }];

describe('versionVisibility', () => {
  it('a changed field without transformations shows the step', async () => {
    expect(await isShown(narrow(), node(), { title: 'Rowing' })).toBe(true);
  });

  it('a removed, a nulled or a never shown field hides the step', async () => {
    const nulling = [{ type: 'field_mask', config: { paths: ['value'], strategy: 'null' } }];
    expect(await isShown(narrow(masking('value')), node(), { value: 'other' })).toBe(false);
    expect(await isShown(narrow(nulling), node(), { value: 'other' })).toBe(false);
    expect(await isShown(narrow(), node(), { graph_view: 'neutral' })).toBe(false);
  });

  it('a field that the detail level leaves out hides the step', async () => {
    const summary = narrow([], { exposure: exposureOf([], 'summary') });
    expect(await isShown(summary, node(), { value: 'other' })).toBe(false);
    expect(await isShown(summary, node(), { title: 'other' })).toBe(true);
  });

  it('a field of which only a part is hidden decides by its shown part', async () => {
    const access = narrow([
      { type: 'field_mask', config: { paths: ['title'], strategy: 'last4' } },
      { type: 'truncate', config: { field: 'value', max: 3 } },
      'pii_redaction',
      ...masking('metadata.secret'),
    ]);
    const before = node({
      title: 'account 1111-2222',
      value: 'abcdef',
      metadata: { secret: 1, open: 1, mail: 'jane@example.com' },
    });
    const metadata = before.record.metadata as object;
    expect(await isShown(access, before, { title: 'another 3333-2222' })).toBe(false);
    expect(await isShown(access, before, { title: 'account 1111-2223' })).toBe(true);
    expect(await isShown(access, before, { value: 'abcxyz' })).toBe(false);
    expect(await isShown(access, before, { value: 'abxxyz' })).toBe(true);
    expect(await isShown(access, before, { metadata: { ...metadata, secret: 2 } })).toBe(false);
    expect(await isShown(access, before, { metadata: { ...metadata, mail: 'joe@example.com' } })).toBe(false);
    expect(await isShown(access, before, { metadata: { ...metadata, open: 2 } })).toBe(true);
  });

  it('tags that the caller may know show the step, others do not', async () => {
    const before = node({ tag_ids: [KNOWN] });
    expect(await isShown(narrow(), before, { tag_ids: [KNOWN, HIDDEN] })).toBe(false);
    expect(await isShown(narrow(), before, { tag_ids: [] })).toBe(true);
    const minimal = narrow([], { exposure: exposureOf([], 'minimal') });
    expect(await isShown(minimal, before, { tag_ids: [] })).toBe(false);
  });

  it('a hidden tag that masks a value with something to hide shows the step', async () => {
    const access = narrow([{ ...masking('value')[0], apply_to: { tag_ids: [HIDDEN] } }]);
    expect(await isShown(access, node(), { tag_ids: [HIDDEN] })).toBe(true);
    const cut = narrow([
      { type: 'truncate', config: { field: 'value', max: 9 }, apply_to: { tag_ids: [HIDDEN] } },
    ]);
    expect(await isShown(cut, node(), { tag_ids: [HIDDEN] })).toBe(false);
  });

  it('a step into a state that may not be read is hidden, and one out of it shown', async () => {
    const read = visibility.typeIn(['note']);
    const access = narrow([], { nodes: { ...owner.nodes, read } });
    expect(await isShown(access, node(), { node_type: 'diary', title: 'other' })).toBe(false);
    expect(await isShown(access, node({ node_type: 'diary' }), { node_type: 'note' })).toBe(true);
  });

  it('deleting or restoring the node shows the step', () => {
    const access = narrow();
    const before = node();
    const deletion = before.delete(later);
    expect(versionVisibility(access, outlineOf(before, deletion))).toBe('shown');
    const restored = deletion.node.restore(later) as NodeRevision;
    expect(versionVisibility(access, outlineOf(deletion.node, restored))).toBe('shown');
  });

  it('a masked field needs the contents, changed or only named, alike', () => {
    const access = narrow([{ type: 'truncate', config: { field: 'value', max: 3 } }]);
    const before = node();
    const named = before.naming(['value'], null, later) as NodeRevision;
    const changed = before.change({ value: 'another' }, later) as NodeRevision;
    for (const step of [named, changed])
      expect(versionVisibility(access, outlineOf(before, step))).toBe('compare');
  });

  it('the title decides where the name of a file is shown as the title is', async () => {
    const access = narrow([{ type: 'truncate', config: { field: 'title', max: 3 } }]);
    const file = node({
      schema_id: RAW_FILE_SCHEMA_ID,
      title: 'diary.txt',
      metadata: { filename: 'diary.txt' },
    });
    const renamed = { title: 'diana.txt', metadata: { filename: 'diana.txt' } };
    expect(await isShown(access, file, renamed)).toBe(false);
    expect(await isShown(access, file, { ...renamed, title: 'my.txt' })).toBe(true);
  });
});
