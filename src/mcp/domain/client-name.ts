import { type ClientName } from './tool.js';

/** The most characters of a name and of a version that `agent_metadata` takes. */
const NAME = 200;
const VERSION = 100;

/**
 * The client that a message names: in the envelope of each request since 2026-07-28, else when a connection began. Names
 * are claims, cleaned so that they can be stored; null where nothing is left of one.
 */
export function clientNameIn(envelope: unknown): ClientName | null {
  const fields = (envelope ?? {}) as Record<string, unknown>;
  const info = (fields['clientInfo'] ?? fields['io.modelcontextprotocol/clientInfo']) as
    { name?: unknown; version?: unknown } | null | undefined;
  const name = cleaned(info?.name, NAME);
  return name === null ? null : { name, version: cleaned(info?.version, VERSION) };
}

/** A text without control characters and halves of characters, in one line and at most `most` long. */
function cleaned(text: unknown, most: number): string | null {
  if (typeof text !== 'string') return null;
  // Spaces may shrink, so that a little more than the result is enough.
  const line = text
    .slice(0, 4 * most)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const cut = line.slice(0, most);
  const isSplit = cut.length < line.length && /[\ud800-\udbff]$/.test(cut);
  return (isSplit ? cut.slice(0, -1) : cut).toWellFormed().trim() || null;
}
