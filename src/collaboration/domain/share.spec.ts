import { isNarrowing, type Share } from './share.js';

const SHARE: Share = {
  owner_id: 'sharer',
  id: 'share',
  graph_owner_id: 'sharer',
  shared_with_user_id: 'recipient',
  scope: 'specific_nodes',
  tag_ids: [],
  node_ids: ['a', 'b'],
  can_read: true,
  can_write: true,
  can_delete: false,
  can_share: false,
  source: 'manual',
  follow_id: null,
  parent_owner_id: null,
  parent_share_id: null,
  version: 1,
  created_at: new Date(0),
  updated_at: new Date(0),
  expires_at: new Date(9),
  revoked_at: null,
};

describe('isNarrowing', () => {
  it.each<[string, Partial<Share>, boolean]>([
    ['one node fewer', { node_ids: ['b'] }, true],
    ['one right fewer', { can_write: false }, true],
    ['an earlier end', { expires_at: new Date(8) }, true],
    ['nothing else', {}, false],
    ['the same nodes in another order', { node_ids: ['b', 'a'] }, false],
    ['another node', { node_ids: ['c'] }, false],
    ['fewer nodes and one right more', { node_ids: ['b'], can_delete: true }, false],
    ['no end', { expires_at: null }, false],
    ['a later end and fewer nodes', { node_ids: ['b'], expires_at: new Date(10) }, false],
    ['a wider scope', { scope: 'all', node_ids: [] }, false],
    ['nodes of another graph', { node_ids: ['b'], graph_owner_id: 'other' }, false],
  ])('a change of a share to %s narrows it or not', (_, changes, narrows) => {
    expect(isNarrowing(SHARE, { ...SHARE, ...changes })).toBe(narrows);
  });
});
