import { connect } from 'node:net';

/** Sends these bytes unchanged, and returns the answer until the service ends the connection. */
export function exchangeRaw(origin: string, sent: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    socket.setEncoding('utf8').on('data', (text) => (heard += String(text)));
    socket.once('error', reject).once('close', () => resolve(heard));
  });
}
