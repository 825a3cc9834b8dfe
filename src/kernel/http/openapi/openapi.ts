import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import { readFileSync } from 'node:fs';
import { parseJson } from '../../json/json-text.js';
import { packageRoot } from '../../package-root.js';
import { completeDocument } from './openapi-completion.js';

const DESCRIPTION = `A person's identity graph, and that person's rules on who may see and change what.

Authorize with **ApiKey** and **UserId** to act as an app (only inside what the app requested *and* the user's exposure
profile grants), or with **Bearer** (an access token of \`POST /api/v1/auth/login\`) to act as the user.

Reads whose answers hold no credential are compressed from 2 KiB on, as \`Accept-Encoding\` (gzip, br) says.`;

/** The version of the service, as package.json has it. */
export const packageVersion = (): string =>
  (parseJson(readFileSync(new URL('package.json', packageRoot), 'utf8')) as { version: string }).version;

/**
 * The document behind /openapi.json: built from the controllers' decorators, completed by rules for every operation.
 */
export function buildOpenApi(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Personal Identity Graph Service')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addSecurity('ApiKey', {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'Key of an app, `pig_live_…`, or a user key, `pig_user_…`.',
    })
    .addSecurity('UserId', {
      type: 'apiKey',
      in: 'header',
      name: 'X-User-ID',
      description: 'The user for whom the app acts; not needed with a user key.',
    })
    .addSecurity('Bearer', {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token. Use either this or ApiKey and UserId; a request with both is refused.',
    });
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return completeDocument(document);
}

/** Express answers HEAD by the handler of GET. */
const READS = new Set(['GET', 'HEAD']);
/** The answers that contain the whole document. */
const WHOLE = [/^\/openapi\.json\/?$/, /^\/docs\/(docs\/)?swagger-ui-init\.js\/?$/];

/**
 * Repeats these answers from memory. Nest serializes the document for each, which takes 40 ms, and strangers may ask for
 * them without a limit.
 */
function fromMemory(): (request: Request, response: Response, next: NextFunction) => void {
  const answers = new Map<RegExp, { type: string; body: Buffer }>();
  return (request, response, next) => {
    const name = WHOLE.find((path) => path.test(request.path));
    if (name === undefined || !READS.has(request.method)) {
      next();
      return;
    }
    const answer = answers.get(name);
    if (answer !== undefined) {
      response.setHeader('Content-Type', answer.type);
      response.send(answer.body);
      return;
    }
    const send = response.send.bind(response);
    response.send = (body: string) => {
      response.send = send;
      answers.set(name, { type: String(response.getHeader('Content-Type')), body: Buffer.from(body) });
      return send(body);
    };
    next();
  };
}

/**
 * Serves Swagger UI at /docs and the document at /openapi.json, both outside the version prefix. The document is built
 * on first use.
 */
export function serveOpenApi(app: INestApplication, document: () => OpenAPIObject): void {
  app.use(fromMemory());
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Personal Identity Graph Service',
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tagsSorter: 'alpha',
      docExpansion: 'list',
    },
  });
}
