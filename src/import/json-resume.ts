import { readFile } from 'node:fs/promises';
import { cleanJson } from './clean-text.js';
import { fitLimits } from './fit-limits.js';
import { type ImportedGraph, UnreadableSource } from './imported-graph.js';
import { reasonOf } from './reason.js';
import { ResumeAssembly } from './resume-assembly.js';
import { EXPERIENCE_SECTIONS, OTHER_SECTIONS } from './resume-sections.js';

/**
 * Reads a JSON Résumé (jsonresume.org, schema 1.0). Work, volunteering, education, projects, awards,
 * certificates and publications become EXPERIENCE; the person, organisations, skills, languages and
 * references ENTITY; interests tags. Contact data is in a node of its own with the tag `resume/contact`, so
 * that a résumé can be shown without it. An entry of the wrong shape gets a warning and never fails the
 * whole import.
 * @param now decides if an experience is done, ongoing or in the future
 * @throws UnreadableSource when the file cannot be read or is not a résumé
 */
export async function readJsonResume(file: string, now: Date): Promise<ImportedGraph> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new UnreadableSource(`cannot read ${file}: ${reasonOf(error)}`);
  }
  try {
    return parseJsonResume(text, now);
  } catch (error) {
    throw error instanceof UnreadableSource ? new UnreadableSource(`${file}: ${error.message}`) : error;
  }
}

/** Names of sections that any résumé may have; other names do not identify the format. */
const SECTIONS = [...EXPERIENCE_SECTIONS.map(({ section }) => section), ...OTHER_SECTIONS].filter(
  (name) => name !== 'meta' && name !== '$schema',
);
const NO_RESUME = 'no JSON Résumé: that is an object with basics, work, education and so on (jsonresume.org)';

export function parseJsonResume(text: string, now: Date): ImportedGraph {
  let resume: unknown;
  try {
    resume = JSON.parse(text);
  } catch (error) {
    throw new UnreadableSource(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof resume !== 'object' || resume === null || Array.isArray(resume)) {
    throw new UnreadableSource(NO_RESUME);
  }
  const isSection = (name: string) => typeof (resume as Record<string, unknown>)[name] === 'object';
  if (!SECTIONS.some(isSection)) throw new UnreadableSource(NO_RESUME);
  return fitLimits(new ResumeAssembly(now).graph(cleanJson(resume) as Record<string, unknown>));
}
