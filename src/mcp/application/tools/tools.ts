import { abilitiesOf, type Effective } from '../../domain/abilities.js';
import { type Json } from '../../domain/api.js';
import { annotationsOf, type Tool } from '../../domain/tool.js';
import { READING_TOOLS } from './reading-tools.js';
import { WRITING_TOOLS } from './writing-tools.js';

const TOOLS: readonly Tool[] = [...READING_TOOLS, ...WRITING_TOOLS];
const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));
/** The form of each tool that clients see, made once. */
const listed = new Map(TOOLS.map((tool) => [tool, listing(tool)]));

export const toolNamed = (name: string): Tool | undefined => byName.get(name);

/**
 * The tools that can do something with these permissions, in a fixed order (rule 15.3a). Calls ask no list: the API decides
 * about each one.
 */
export function offered(effective: Effective): Json[] {
  const abilities = abilitiesOf(effective);
  const isOffered = ({ offeredWith }: Tool): boolean =>
    offeredWith.length === 0 || offeredWith.some((ability) => abilities.has(ability));
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
