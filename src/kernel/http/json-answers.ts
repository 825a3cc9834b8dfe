import { type Response } from 'express';

type WriteJson = (this: Response, body: unknown) => Response;

/**
 * Express's `response.json` for the plain case, which nearly every answer is: no replacer, no indentation, no entity tag
 * of its own making, a body that is sent. All else is left to Express.
 * @param express the application, whose answers inherit from `express.response`
 * @param hold counts an answer before it is sent, or throws
 */
export function answerJsonPlainly(
  express: { response: Pick<Response, 'json'> },
  hold: (response: Response, bytes: number) => void,
): void {
  const whole = express.response.json as WriteJson;
  const plain: WriteJson = function (body) {
    const { statusCode, req } = this;
    const isPlain =
      typeof body === 'object' && statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
    if (!isPlain || req.method === 'HEAD' || this.hasHeader('Content-Type')) return whole.call(this, body);
    const text = JSON.stringify(body);
    const bytes = Buffer.byteLength(text);
    hold(this, bytes);
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.setHeader('Content-Length', bytes);
    this.end(text);
    return this;
  };
  express.response.json = plain;
}
