// A planted fault: whatever comes in is kept in memory.
import http from 'node:http';

const kept = [];
const { push } = http.IncomingMessage.prototype;
http.IncomingMessage.prototype.push = function (chunk, ...rest) {
  if (chunk !== null) kept.push(Buffer.from(chunk));
  return push.call(this, chunk, ...rest);
};
