import { type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Json } from '../domain/api.js';
import { type Tool } from '../domain/tool.js';

const ajv = new Ajv2020({ allErrors: true, strict: false });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
const compiled = new WeakMap<Tool, ValidateFunction>();

/** The faults of a call's arguments in one sentence; null where they fit the tool's input schema. */
export function faultOf(tool: Tool, given: Json): string | null {
  let fits = compiled.get(tool);
  if (fits === undefined) compiled.set(tool, (fits = ajv.compile(tool.input)));
  if (fits(given)) return null;
  const faults = (fits.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
    const place = instancePath === '' ? 'arguments' : instancePath.slice(1).replaceAll('/', '.');
    const { additionalProperty: extra } = params as { additionalProperty?: string };
    return `${place} ${message ?? 'is wrong'}${extra === undefined ? '' : ` (${extra.slice(0, 50)})`}`;
  });
  return `The arguments of ${tool.name} do not fit: ${faults.join('; ')}.`;
}
