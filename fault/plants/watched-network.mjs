// Not a fault but a witness: writes down every address that the process tries to connect to, and stands in for the DNS.
// A name of the form <first>--<later>--<number>.example.org, both in hexadecimal, stands for the first address when it is
// asked for the first time, and for the later one from then on.
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

/** How often each name was asked for. Both families are asked for at once, IPv4 first. */
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
  this.on('connectionAttempt', (address, port) =>
    appendFileSync(process.env.FAULT_CONNECTIONS, `${address} ${port}\n`),
  );
  return connect.apply(this, given);
};
