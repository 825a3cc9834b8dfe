// Lets Node 20 load the conformance suite of MCP: one of its commands, which tests do not use, imports a function that
// `node:fs` has since 22.
import { register } from 'node:module';

const fs = 'data:text/javascript,export * from "node:fs"; export const globSync = undefined;';
const hook = `export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(fs)}, shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
