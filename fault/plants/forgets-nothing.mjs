// A planted fault: every request is remembered, as by a list of listeners that is never emptied.
import http from 'node:http';

const remembered = [];
const { emit } = http.Server.prototype;
http.Server.prototype.emit = function (event, ...given) {
  if (event === 'request')
    remembered.push({ headers: given[0].headers, at: new Array(400).fill(Date.now()) });
  return emit.call(this, event, ...given);
};
