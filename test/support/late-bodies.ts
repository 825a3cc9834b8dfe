import { request } from 'node:http';
import { BodyGuard } from '../../src/kernel/http/bodies/body.guard.js';
import { type Client } from './client.js';
import { passTime } from './passed-time.js';
import { type World } from './world.js';

export interface LateRequest {
  method: string;
  path: string;
  /** A string or buffer is sent unchanged, anything else as JSON. */
  body: unknown;
  headers?: Record<string, string>;
}

export interface LateAnswer {
  status: number;
  text: string;
}

/**
 * Sends a request with a part of its body, and the rest after something else has happened behind the guards' back.
 * @param afterMs the time that the service sees pass between the two
 */
export async function sendLate(
  world: World,
  client: Client,
  { method, path, body, headers }: LateRequest,
  meanwhile: () => Promise<unknown>,
  afterMs = 2_000,
): Promise<LateAnswer> {
  const bytes =
    typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const half = Math.floor(bytes.length / 2);
  const admitted = nextAdmitted(world);
  const sent = request(`${world.origin}/api/v1${path}`, {
    method,
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      ...client.credentials,
      ...headers,
    },
  });
  const answered = answerOf(sent);
  sent.write(bytes.subarray(0, half));
  await Promise.race([admitted, answered.then(({ status }) => refuseEarly(status))]);
  await meanwhile();
  passTime(afterMs);
  sent.end(bytes.subarray(half));
  return answered;
}

const refuseEarly = (status: number): never => {
  throw new Error(`answered with ${status} before the body was sent`);
};

/** Resolves when the guards before the body have admitted the next request. */
function nextAdmitted(world: World): Promise<void> {
  const guard: Partial<BodyGuard> & BodyGuard = world.nest.get(BodyGuard);
  return new Promise((resolve) => {
    guard.canActivate = (context) => {
      delete (guard as Partial<BodyGuard>).canActivate;
      resolve();
      return guard.canActivate(context);
    };
  });
}

function answerOf(sent: ReturnType<typeof request>): Promise<LateAnswer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode as number, text }));
    });
  });
}
