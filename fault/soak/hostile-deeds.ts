import { hostileString } from '../../test/support/hostile-strings.js';
import { type Deed, type Weighed } from './deed.js';
import { multipart } from './load.js';
import { WORDS } from './resident.js';

/** Statuses of a proper refusal. */
const REFUSED = [400, 401, 403, 404, 405, 406, 409, 411, 412, 413, 414, 415, 416, 422, 431];
const MAX_TEXT = 20_000;

const BODIES: readonly (string | Buffer)[] = [
  '{"title":',
  '[]',
  'null',
  '"x"',
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  '{"title":"a\\u0000b","node_type":"NOTE"}',
  '{"title":"\\ud800","node_type":"NOTE"}',
  `{"title":"x","node_type":"NOTE","metadata":{"properties":{"n":${'9'.repeat(400)}}}}`,
  Buffer.alloc(3_000_000, 'x'),
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
];

const sendsNonsense: Deed = (who) => {
  const { chance } = who.town;
  const what = chance.pick([
    'POST /nodes',
    'PUT /tags/x',
    'POST /nodes/batch',
    'POST /sharing',
    'POST /schemas',
  ]);
  return who.some(what, chance.pick(BODIES), { or: REFUSED });
};

const asksNonsense: Deed = (who) => {
  const { chance } = who.town;
  const text = encodeURIComponent(hostileString(chance, 500).toWellFormed());
  const path = chance.pick([
    `/nodes?search=${text}`,
    `/nodes/${text}`,
    `/sync?cursor=${text}`,
    `/users?username=${text}`,
  ]);
  return who.some(`GET ${path}`, undefined, { or: REFUSED });
};

const writesStrangeTexts: Deed = (who) => {
  const text = hostileString(who.town.chance, MAX_TEXT);
  const node = { ...who.note, value: text, tags: [text.slice(0, 60)] };
  return who.does('POST /nodes', node, { or: REFUSED });
};

const comesAsSomebodyElse: Deed = (who) => {
  const { chance } = who.town;
  const by = chance.pick<Record<string, string>>([
    {},
    { Authorization: `Bearer ${chance.pick(WORDS)}.${chance.below(1e9)}.x` },
    { 'X-API-Key': `pig_app_${chance.below(1e9)}` },
    { ...who.byApp, 'X-User-ID': who.neighbour?.id ?? 'x' },
    { ...who.user, Authorization: `${who.user['Authorization']?.slice(0, -4)}AAAA` },
  ]);
  return who.town.load.send({ ...by, 'X-Forwarded-For': '10.255.0.1' }, 'GET /nodes', undefined, {
    or: REFUSED,
  });
};

/** Disconnects in the middle of an upload, or of a slow answer. */
const breaksOff: Deed = (who) => {
  const [body, asked] = multipart(Buffer.alloc(400_000));
  return who.does('POST /raw-files', body, { ...asked, isCutOff: true });
};

export const hostileDeeds: readonly Weighed[] = [
  [2, sendsNonsense],
  [2, asksNonsense],
  [1, writesStrangeTexts],
  [1, comesAsSomebodyElse],
  [0.5, breaksOff],
];
