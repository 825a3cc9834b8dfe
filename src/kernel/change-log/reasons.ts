/**
 * The beginning of the reasons that imports write. Undoing and repeating an import trust them, so no caller can give
 * one (rule 12.5b).
 */
export const IMPORT_REASON = 'import of ';

const MAX_REASON = 1000;

/** A caller's reason for a change: in quotation marks where it begins like one of an import. */
export const callersReason = (text: string): string =>
  text.startsWith(IMPORT_REASON) ? `"${text.slice(0, MAX_REASON - 2).toWellFormed()}"` : text;
