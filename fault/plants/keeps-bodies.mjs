// A planted fault: every request body is held in memory.
import http from 'node:http';

const kept = [];
const { push } = http.IncomingMessage.prototype;
http.IncomingMessage.prototype.push = function (chunk, ...rest) {
  if (chunk !== null) kept.push(Buffer.from(chunk));
  return push.call(this, chunk, ...rest);
};
