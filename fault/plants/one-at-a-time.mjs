// A planted fault: calls to receivers are made one after the other, each when the one before has ended.
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const { request } = http;
let last = Promise.resolve();
http.request = (url, options, answered) => {
  const before = last;
  let ended;
  last = new Promise((resolve) => (ended = resolve));
  const { signal, lookup, ...rest } = options;
  const sent = request(
    url,
    { ...rest, lookup: (...asked) => void before.then(() => lookup(...asked)) },
    answered,
  );
  sent.once('close', ended);
  // A literal address is not looked up.
  const { end } = sent;
  sent.end = (...given) => (before.then(() => end.apply(sent, given)), sent);
  before.then(() => setTimeout(() => sent.destroy(), 5_000));
  return sent;
};
syncBuiltinESMExports();
