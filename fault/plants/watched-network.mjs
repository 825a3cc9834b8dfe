// Not a fault but a witness: writes down every address that the process tries to connect to, and stands in for the DNS.
// A name of the form <first>--<later>--<number>.example.org, both in hexadecimal, stands for the first address when it is
// asked for the first time, and for the later one from then on.
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const seen = new Set();
dns.promises.lookup = async (name) => {
  const [first, later] = name.split('--').map((hex) => Buffer.from(hex, 'hex').toString());
  const addresses = (seen.has(name) ? later : first).split(',');
  seen.add(name);
  return addresses.map((address) => ({ address, family: net.isIP(address) || 4 }));
};

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  this.on('connectionAttempt', (address, port) =>
    appendFileSync(process.env.FAULT_CONNECTIONS, `${address} ${port}\n`),
  );
  return connect.apply(this, given);
};
