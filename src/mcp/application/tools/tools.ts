import { type Json } from '../../domain/api.js';
import { annotationsOf, type Tool, type Verb } from '../../domain/tool.js';
import { READING_TOOLS } from './reading-tools.js';
import { WRITING_TOOLS } from './writing-tools.js';

const TOOLS: readonly Tool[] = [...READING_TOOLS, ...WRITING_TOOLS];
const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));
/** The form of each tool that clients see, made once. */
const listed = new Map(TOOLS.map((tool) => [tool, listing(tool)]));

export const toolNamed = (name: string): Tool | undefined => byName.get(name);

/** Verbs for nodes that exist: one that the client is not shown is absent for them. */
const ON_SHOWN: ReadonlySet<Verb> = new Set(['edit', 'delete']);

/**
 * The tools that a client can use with these permissions, in a fixed order (rule 15.3). Calls ask no list: the API decides
 * about each one.
 * @param effective `effective_permissions.tags` of the client's own authorization
 */
export function offered(effective: Partial<Record<Verb, boolean>>): Json[] {
  const isUsable = (verb: Verb): boolean =>
    effective[verb] === true && (effective.read === true || !ON_SHOWN.has(verb));
  const isOffered = ({ offeredWith }: Tool): boolean =>
    offeredWith.length === 0 || offeredWith.some(isUsable);
  return TOOLS.filter(isOffered).map((tool) => listed.get(tool) as Json);
}

function listing(tool: Tool): Json {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    outputSchema: tool.output,
    annotations: annotationsOf(tool),
  };
}
