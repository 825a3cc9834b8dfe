import { pick, type Random } from './random.js';

const WORDS = (
  'morning garden river letter kitchen window journey market winter summer teacher brother mountain harbour ' +
  'bicycle concert painting recipe library project meeting deadline budget customer release interview training ' +
  'running swimming climbing reading writing cooking painting travelling learning listening planning resting ' +
  'friendship courage patience honesty curiosity memory promise question answer mistake success failure habit ' +
  'family neighbour doctor engineer musician architect gardener student parent child colleague mentor stranger ' +
  'quiet bright careful gentle sudden early late always never often again together alone finally perhaps almost ' +
  'bread coffee apple lemon salt honey soup rain snow wind cloud forest meadow island bridge station airport ' +
  'notebook camera guitar piano ticket passport photograph calendar clock lamp table chair door stairs roof'
).split(' ');

/** Words up to about `length` characters, beginning with a capital. */
export function words(random: Random, length: number): string {
  let text = pick(random, WORDS);
  while (text.length < length) text += ` ${pick(random, WORDS)}`;
  return text[0]?.toUpperCase() + text.slice(1);
}
