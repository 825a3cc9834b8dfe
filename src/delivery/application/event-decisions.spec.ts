import { type NodePresenter } from '../../graph/index.js';
import { type Access, type NodeFacts, visibility } from '../../privacy/index.js';
import { exposureOf } from '../../../test/support/exposures.js';
import { type LoggedChange } from '../infrastructure/logged-changes.queries.js';
import { type EventDecision } from '../domain/event-decision.js';
import { EventDecisions } from './event-decisions.service.js';

const READABLE = '01890a5d-ac96-774b-bcce-b302099a8057';
const HIDDEN = '01890a5d-ac96-774b-bcce-b302099a8058';
const state = (tag: string): NodeFacts => ({
  id: 'node',
  tagIds: [tag],
  schemaId: null,
  nodeType: 'NOTE',
  createdAt: new Date(0),
});
const shown = state(READABLE);
const hidden = state(HIDDEN);

function accessTo(transformations: unknown = []): Access {
  const nodes = { read: visibility.taggedAny([READABLE]) };
  return { nodes, exposure: exposureOf(transformations) } as unknown as Access;
}

/** An update of a node that was and is shown. */
const UPDATE: LoggedChange = {
  sequence: 7,
  entity: 'node',
  entityId: 'node',
  action: 'updated',
  changedAt: new Date(0),
  appId: null,
  facts: shown,
  before: shown,
  present: shown,
  stamps: { version: 2, updated_at: '2024-06-18T11:12:13.456Z' },
  stampsBefore: { version: 1, updated_at: '2024-06-17T11:12:13.456Z' },
  isMerged: false,
  mayHaveNode: true,
  hasNode: true,
  changedFields: { title: { old: 'a', new: 'b' } },
};

interface Surroundings {
  access: Access | null;
  receiver: { appId: string; isUsers: boolean };
  changes: object;
  changesShownVersion: boolean;
}

/** Decides with a presenter that shows these changes, and a step with a version of its own or not. */
function decide(
  change: Partial<LoggedChange>,
  {
    access = accessTo(),
    receiver = { appId: 'app', isUsers: false },
    changes = {},
    changesShownVersion = true,
  }: Partial<Surroundings> = {},
): Promise<EventDecision | null> {
  const presenter = {
    presentChanges: () => Promise.resolve(changes),
    changesShownVersion: () => Promise.resolve(changesShownVersion),
  } as unknown as NodePresenter;
  return new EventDecisions(presenter).of(receiver, access, { ...UPDATE, ...change });
}

const CREATED = { event: 'node.created', hasNodeAfter: true };
const LOST = { event: 'node.deleted', reason: 'access_removed', hasNodeAfter: false };
const DELETED = { event: 'node.deleted', reason: 'deleted', hasNodeAfter: false };

describe('the event that a change of a node is for a receiver (rule 9.4)', () => {
  it('no change is an event for an app that is not authorized any more', async () => {
    expect(await decide({}, { access: null })).toBeNull();
  });

  it.each(['created', 'restored'])(
    'a readable node that was %s is created for the receiver',
    async (action) => {
      expect(await decide({ action, before: null })).toEqual(CREATED);
    },
  );

  it('a node that comes into view is created, or updated without changes if the receiver has it', async () => {
    expect(await decide({ before: hidden, hasNode: false })).toEqual(CREATED);
    expect(await decide({ before: hidden, hasNode: true })).toEqual({
      event: 'node.updated',
      changes: {},
      hasNodeAfter: true,
    });
  });

  it('an update is an event with the changes that are shown', async () => {
    const changes = { title: { old: 'a', new: 'b' } };
    expect(await decide({}, { changes })).toEqual({ event: 'node.updated', changes, hasNodeAfter: true });
  });

  it('an update of hidden fields is an event only if another version or time is shown for it', async () => {
    expect(await decide({}, { changesShownVersion: true })).toMatchObject({
      event: 'node.updated',
      changes: {},
    });
    expect(await decide({}, { changesShownVersion: false })).toBeNull();
    expect(await decide({ stampsBefore: UPDATE.stamps })).toBeNull();
    expect(await decide({ stampsBefore: null })).toBeNull();
  });

  it('the change that takes a node out of view is its loss', async () => {
    expect(await decide({ facts: hidden, present: hidden })).toEqual(LOST);
    expect(await decide({ facts: hidden, present: null })).toEqual(LOST);
  });

  it.each([
    ['a change of a node that was out of view before', { before: hidden, facts: hidden, present: hidden }],
    ['a change after which the node is out of view by a later one', { facts: shown, present: hidden }],
    ['a change that hides a node which is back in view', { facts: hidden, present: shown }],
    [
      'the loss of a node that the receiver cannot have',
      { facts: hidden, present: hidden, mayHaveNode: false },
    ],
    ['the birth of a hidden node', { action: 'created', before: null, facts: hidden, present: hidden }],
  ])('%s is no event', async (_, change) => {
    expect(await decide(change)).toBeNull();
  });

  it('a deletion is judged by the last state in which the node lived', async () => {
    expect(await decide({ action: 'deleted', present: null })).toEqual(DELETED);
    expect(await decide({ action: 'deleted', facts: hidden, before: hidden, present: null })).toBeNull();
  });

  it('a deletion of a node that lives again does not say that the receiver has lost it', async () => {
    expect(await decide({ action: 'deleted' })).toEqual({ event: 'node.deleted', reason: 'deleted' });
  });
});

describe('the event that a change of another entity is for a receiver (rules 9.1, 9.4)', () => {
  it('a new embedding is an event only for a node that is shown whole', async () => {
    const embedding = { entity: 'embedding' } as const;
    expect(await decide(embedding)).toEqual({ event: 'node.embedding.updated' });
    expect(await decide({ ...embedding, present: hidden })).toBeNull();
    const masked = accessTo([{ type: 'field_mask', config: { paths: ['title'] } }]);
    expect(await decide(embedding, { access: masked })).toBeNull();
  });

  it('a proposal is an event for the app that made it, and for no other', async () => {
    const proposal = { entity: 'proposal', action: 'approved' } as const;
    expect(await decide({ ...proposal, appId: 'app' })).toEqual({ event: 'proposal.approved' });
    expect(await decide({ ...proposal, appId: 'another' })).toBeNull();
    expect(await decide({ ...proposal, action: 'reverted', appId: 'app' })).toBeNull();
  });

  it('shares and authorizations are events for subscriptions of their user alone', async () => {
    const receiver = { appId: 'app', isUsers: true };
    expect(await decide({ entity: 'share', action: 'created' }, { receiver })).toEqual({
      event: 'share.created',
    });
    expect(await decide({ entity: 'share', action: 'revoked' })).toBeNull();
    expect(await decide({ entity: 'share', action: 'updated' }, { receiver })).toBeNull();
    expect(await decide({ entity: 'authorization', action: 'updated' }, { receiver })).toEqual({
      event: 'authorization.changed',
    });
    expect(await decide({ entity: 'authorization', action: 'updated' })).toBeNull();
    expect(await decide({ entity: 'authorization', action: 'deleted' }, { receiver })).toBeNull();
  });
});
