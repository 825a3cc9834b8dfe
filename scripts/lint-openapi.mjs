// npm run lint:openapi: checks docs/openapi.json with redocly (redocly.yaml) and spectral's OpenAPI rules.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import spectral from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

const FILE = 'docs/openapi.json';
const SEVERITIES = ['error', 'warning', 'information', 'hint'];

const redocly = spawnSync(
  process.execPath,
  ['node_modules/@redocly/cli/bin/cli.js', 'lint', FILE, '--config', 'redocly.yaml'],
  {
    stdio: 'inherit',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
);

const judge = new spectral.Spectral();
judge.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const found = await judge.run(new spectral.Document(readFileSync(FILE, 'utf8'), parsers.Json, FILE));
for (const { severity, code, path, message } of found)
  console.log(`${SEVERITIES[severity]} ${code} at ${path.join('.')}: ${message}`);
const errors = found.filter(({ severity }) => severity === 0).length;
console.log(`spectral: ${errors} errors, ${found.length - errors} warnings`);
process.exit(redocly.status || (errors > 0 ? 1 : 0));
