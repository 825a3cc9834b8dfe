/** The second step of npm run openapi: writes the client's types from docs/openapi.json; --check compares them. */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const TARGET = new URL('../clients/typescript/src/schema.ts', import.meta.url);
const HEAD = '/** Generated from docs/openapi.json by `npm run client:types`; not to be edited. */\n';

const document = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));
// Errors are thrown, all in one form. They, headers and whole examples would be nine tenths of the file.
for (const item of Object.values(document.paths))
  for (const operation of Object.values(item)) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (Number(status) >= 400) delete operation.responses[status];
      delete answer.headers;
    }
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const body of bodies)
      for (const media of Object.values(body?.content ?? {})) {
        delete media.example;
        delete media.examples;
      }
  }
const text = HEAD + astToString(await openapiTS(document));
if (!process.argv.includes('--check')) writeFileSync(TARGET, text);
else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('clients/typescript/src/schema.ts is not of docs/openapi.json: npm run client:types');
  process.exit(1);
}
