import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';

/** The service closes connections that were idle for 5 s; a reused one must not be closed at that moment. */
const IDLE_MS = 500;

/**
 * Keep-alive connections to each of these ports, for any address that a request names; each request goes to the next of
 * them.
 */
export class Agents {
  private readonly agents: readonly Agent[];
  private readonly freeSince = new WeakMap<Socket, number>();
  private turn = 0;

  constructor(ports: readonly number[]) {
    this.agents = ports.map((port) => {
      const agent = new Agent({ keepAlive: true });
      agent.on('free', (socket: Socket) => this.freeSince.set(socket, performance.now()));
      return Object.assign(agent, { createConnection: () => connect(port, '127.0.0.1').setNoDelay() });
    });
  }

  next(): Agent {
    const agent = this.agents[this.turn++ % this.agents.length] as Agent;
    const oldest = performance.now() - IDLE_MS;
    for (const socket of Object.values(agent.freeSockets).flat())
      if (socket !== undefined && (this.freeSince.get(socket) ?? 0) < oldest) socket.destroy();
    return agent;
  }

  end(): void {
    for (const agent of this.agents) agent.destroy();
  }
}
