// A planted fault: calls to receivers are made one after the other, each when the one before has ended.
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const { request } = http;
let last = Promise.resolve();
http.request = (url, options, answered) => {
  const before = last;
  let ended;
  last = new Promise((resolve) => (ended = resolve));
  const sent = request(url, options, answered);
  sent.once('close', ended);
  const { end } = sent;
  sent.end = (...given) => (before.then(() => end.apply(sent, given)), sent);
  return sent;
};
syncBuiltinESMExports();
