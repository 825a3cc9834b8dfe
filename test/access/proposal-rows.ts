import { DENIED, EVERYTHING, FULL, NEW, NONE, readWork, type Row } from './permission-rows.js';

const PROPOSAL = { title: 'p', canonical_data: NEW, tags: ['work'] };
const UPDATE = {
  title: 'p',
  type: 'UPDATE_NODE',
  canonical_data: { node_id: '$work', changes: { title: 'x' } },
};

/** Permissions to propose, and to decide about proposals. */
export const proposalRows: Record<string, Row[]> = {
  'an app sees its own proposals, the user all of them (rules 1.12, 8.4)': [
    ['owner', '', {}, 'GET /proposals', '200 of 0', null],
    ['app', 'read', readWork, 'GET /proposals', '200 of 0', null],
    ['app not let in', EVERYTHING, {}, 'GET /proposals', DENIED, null],
    ['owner', '', {}, 'GET /proposals/:proposal.other', '200', NONE],
    ['app', EVERYTHING, FULL, 'GET /proposals/:proposal.own', '200', NONE],
    ['app', EVERYTHING, FULL, 'GET /proposals/:proposal.other', NONE, NONE],
    ['stranger', '', {}, 'GET /proposals/:proposal.other', NONE, NONE],
    ['owner', '', {}, 'GET /proposals/:proposal.other/diff', '200', NONE],
    ['app', EVERYTHING, FULL, 'GET /proposals/:proposal.other/diff', NONE, NONE],
    ['app', 'read', readWork, 'GET /proposals/events', '200', null],
    ['app not let in', EVERYTHING, {}, 'GET /proposals/events', DENIED, null],
  ],
  'proposing needs propose, for tags and schemas, too (rules 3.7, 3.10)': [
    ['owner', '', {}, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose', { propose: 'work' }, 'POST /proposals', '201', null, PROPOSAL],
    ['user key', 'propose', { propose: 'work' }, 'POST /proposals', '201', null, PROPOSAL],
    ['app', 'read edit create', FULL, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose', { propose: 'private' }, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose', { propose: 'work' }, 'POST /proposals', DENIED, null, { ...PROPOSAL, tags: ['new'] }],
    ['app', 'propose', { propose: 'work+' }, 'POST /proposals', DENIED, null, { ...PROPOSAL, tags: ['new'] }],
    [
      'app',
      'discover propose',
      { discover: 'all', propose: 'work+' },
      'POST /proposals',
      '201',
      null,
      { ...PROPOSAL, tags: ['new'] },
    ],
    ['app', 'propose', { propose: 'work', writes: 'none' }, 'POST /proposals', DENIED, null, PROPOSAL],
    ['app', 'propose read', { propose: 'private', read: 'all' }, 'POST /proposals', DENIED, null, UPDATE],
    ['app', 'propose read', { propose: 'work', read: 'work' }, 'POST /proposals', '201', null, UPDATE],
    ['owner', '', {}, 'PATCH /proposals/:proposal.other', DENIED, DENIED, {}],
    ['app', EVERYTHING, FULL, 'PATCH /proposals/:proposal.own', '200', NONE, {}],
    ['app', EVERYTHING, FULL, 'PATCH /proposals/:proposal.own', DENIED, NONE, { status: 'APPROVED' }],
    ['app', EVERYTHING, FULL, 'PATCH /proposals/:proposal.other', NONE, NONE, {}],
  ],
  'only the user approves and undoes, the app applies its own (rules 8.5-8.7)': [
    ['owner', '', {}, 'POST /proposals/:proposal.other/approve', '200', NONE, {}],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/approve', DENIED, DENIED, {}],
    ['stranger', '', {}, 'POST /proposals/:proposal.other/approve', NONE, NONE, {}],
    ['owner', '', {}, 'POST /proposals/:proposal.other/reject', '200', NONE, {}],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/reject', DENIED, DENIED, {}],
    ['owner', '', {}, 'POST /proposals/:proposal.other/apply', '409 PROPOSAL_NOT_APPROVED', NONE],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/apply', '409 PROPOSAL_NOT_APPROVED', NONE],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.other/apply', NONE, NONE],
    ['app', 'read', readWork, 'POST /proposals/:proposal.other/apply', DENIED, DENIED],
    ['owner', '', {}, 'POST /proposals/:proposal.other/revert', '409 INVALID_STATE_TRANSITION', NONE],
    ['app', EVERYTHING, FULL, 'POST /proposals/:proposal.own/revert', DENIED, DENIED],
    ['owner', '', {}, 'DELETE /proposals/:proposal.other', '200', NONE],
    ['app', EVERYTHING, FULL, 'DELETE /proposals/:proposal.own', '200', NONE],
    ['app', EVERYTHING, FULL, 'DELETE /proposals/:proposal.other', NONE, NONE],
  ],
};
