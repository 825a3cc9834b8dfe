// Not a fault but a witness: records every address that the process tries to connect to, and replaces the
// DNS. A name of the form <first>--<later>--<number>.example.org, both in hexadecimal, resolves to the first
// address in the first query, and to the later one from then on. Connections to FAULT_UNREACHABLE fail at once.
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

/** The number of queries for each name. Both families are queried at once, IPv4 first. */
const asked = new Map();
const answerOf = (name, family) => {
  const [first, later] = name.split('--').map((hex) => Buffer.from(hex, 'hex').toString());
  const addresses = (asked.get(name) > 1 ? later : first).split(',');
  return addresses.filter((address) => (net.isIP(address) || 4) === family);
};
const { prototype } = dns.promises.Resolver;
prototype.resolve4 = async (name) => {
  asked.set(name, (asked.get(name) ?? 0) + 1);
  return answerOf(name, 4);
};
prototype.resolve6 = async (name) => answerOf(name, 6);

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  this.on('connectionAttempt', (address, port) => {
    appendFileSync(process.env.FAULT_CONNECTIONS, `${address} ${port}\n`);
    if (address === process.env.FAULT_UNREACHABLE) setImmediate(() => this.destroy(new Error('unreachable')));
  });
  return connect.apply(this, given);
};
