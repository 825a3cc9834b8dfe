import { tagNameKey } from '../privacy/index.js';
import { oneLine, shorten } from './clean-text.js';
import { LIMITS } from './fit-limits.js';
import type { ImportedGraph, ImportedNode, ImportedRelationship, ImportWarning } from './imported-graph.js';
import { ResumeEntry, type When, whenOf } from './resume-entry.js';
import { linkMentions, type Mentionable } from './resume-mentions.js';
import { EXPERIENCE_SECTIONS, type ExperienceSection, OTHER_SECTIONS } from './resume-sections.js';
import { TagCollection } from './tag-collection.js';

const SELF = 'self';

type EntityCategory = 'person' | 'organization' | 'practice';

/**
 * Builds the graph of one résumé. Refs derive from the content of an entry (employer, role, start), not
 * from its position.
 */
export class ResumeAssembly {
  private readonly nodes = new Map<string, ImportedNode>();
  private readonly relationships = new Map<string, ImportedRelationship>();
  private readonly related = new Set<string>();
  private readonly mentionables: Mentionable[] = [];
  private readonly keywords = new Map<string, string[]>();
  private readonly tags = new TagCollection();
  private readonly warnings: ImportWarning[] = [];

  constructor(private readonly now: Date) {}

  graph(resume: Record<string, unknown>): ImportedGraph {
    this.addPerson(resume.basics);
    this.entries(resume, 'skills').forEach((entry) => this.addSkill(entry));
    this.entries(resume, 'languages').forEach((entry) => this.addLanguage(entry));
    this.entries(resume, 'references').forEach((entry) => this.addReference(entry));
    for (const section of EXPERIENCE_SECTIONS) {
      this.entries(resume, section.section).forEach((entry) => this.addExperience(section, entry));
    }
    linkMentions([...this.nodes.values()], this.mentionables, (from, to, link) =>
      this.relate(from, to, link),
    );
    this.entries(resume, 'interests').forEach((entry) => this.applyInterest(entry));
    this.reportUnknown(resume);
    return {
      importer: 'json-resume',
      nodes: [...this.nodes.values()],
      relationships: [...this.relationships.values()],
      tags: this.tags.all(),
      warnings: this.warnings,
    };
  }

  private addPerson(basics: unknown): void {
    if (typeof basics !== 'object' || basics === null || Array.isArray(basics)) {
      if (basics !== undefined) this.warn('basics', 'not an object');
      return;
    }
    const entry = new ResumeEntry('basics', basics as Record<string, unknown>);
    const name = entry.line('name') ?? 'Me';
    const about = {
      summary: entry.text('summary'),
      label: entry.line('label'),
      image: entry.line('image', 'picture'),
    };
    const contact = entry.rest();
    this.addEntity(
      { ref: SELF, category: 'person', name, value: about.summary, tag: 'about' },
      present(about, ['label', 'image']),
    );
    if (Object.keys(contact).length === 0) return;
    this.put({
      ref: 'contact',
      title: `Contact details of ${name}`,
      value: null,
      node_type: 'CONTACT',
      meaning_level: 'DATA',
      metadata: { properties: contact, source: { section: 'basics' } },
      tags: this.tags.add('resume/contact', 'resume').reverse(),
    });
    this.relate(SELF, 'contact', { type: 'has_contact', context: null });
  }

  private addSkill(entry: ResumeEntry): void {
    const name = this.nameOf(entry, 'name');
    if (name === null) return;
    const properties = { level: entry.line('level'), keywords: entry.list('keywords'), ...entry.rest() };
    const ref = `skill:${tagNameKey(name)}`;
    this.addEntity({ ref, category: 'practice', name, value: null, tag: 'skills' }, present(properties));
    this.keywords.set(ref, properties.keywords);
    this.mentionables.push({ ref, names: [name, ...properties.keywords] });
    this.relate(SELF, ref, { type: 'has_skill', context: properties.level });
  }

  private addLanguage(entry: ResumeEntry): void {
    const name = this.nameOf(entry, 'language');
    if (name === null) return;
    const properties = { fluency: entry.line('fluency'), ...entry.rest() };
    const ref = `language:${tagNameKey(name)}`;
    this.addEntity({ ref, category: 'practice', name, value: null, tag: 'languages' }, present(properties));
    this.relate(SELF, ref, { type: 'speaks', context: properties.fluency });
  }

  private addReference(entry: ResumeEntry): void {
    const name = this.nameOf(entry, 'name');
    if (name === null) return;
    const ref = `person:${tagNameKey(name)}`;
    const value = entry.text('reference');
    this.addEntity({ ref, category: 'person', name, value, tag: 'people' }, present(entry.rest()));
    this.mentionables.push({ ref, names: [name] });
    this.relate(SELF, ref, { type: 'knows', context: null });
  }

  private addExperience(section: ExperienceSection, entry: ResumeEntry): void {
    const role =
      [entry.line(...section.role), entry.line('area')].filter((part) => part !== null).join(', ') || null;
    const organisation = entry.line(...section.organisation);
    const title = role && organisation ? `${role} ${section.joint} ${organisation}` : (role ?? organisation);
    if (title === null)
      return this.warn(entry.place, `left out: neither ${section.role[0]} nor ${section.organisation[0]}`);
    const [start, end] = [entry.line(...section.start), entry.line(...section.end)];
    const when = whenOf(start, end, this.now);
    const where = entry.line('location') ?? organisation;
    const highlights = entry.list('highlights');
    const keywords = entry.list('keywords');
    const properties = {
      ...entry.rest(),
      ...unreadDates(when, { start, end }),
      when,
      where,
      significance: shorten(highlights.join('; '), LIMITS.title) || null,
      keywords,
    };
    const ref = this.free(
      [section.section, organisation, role, when?.start ?? when?.end]
        .map((part) => tagNameKey(part ?? ''))
        .join(':'),
    );
    this.put({
      ref,
      title,
      value: experienceText(entry, highlights),
      node_type: 'EXPERIENCE',
      meaning_level: 'IDENTITY',
      metadata: { properties: present(properties), source: { section: section.section } },
      tags: this.tags.add(`resume/${section.tag}`, 'resume').reverse(),
    });
    this.keywords.set(ref, keywords);
    this.relate(SELF, ref, { type: 'has_experience', context: null });
    this.relateKeywords(ref, keywords);
    if (organisation !== null)
      this.relate(ref, this.addOrganisation(organisation), { type: section.relation, context: role });
  }

  private addOrganisation(name: string): string {
    const ref = `organization:${tagNameKey(name)}`;
    if (this.nodes.has(ref)) return ref;
    this.addEntity({ ref, category: 'organization', name, value: null, tag: 'organizations' }, {});
    this.mentionables.push({ ref, names: [name] });
    return ref;
  }

  /** Relates an experience to the skills, or parts of skills, among its keywords. */
  private relateKeywords(ref: string, keywords: string[]): void {
    for (const { ref: skill, names } of this.mentionables.filter((item) => item.ref.startsWith('skill:'))) {
      const known = new Set(names.map(tagNameKey));
      const shared = keywords.filter((keyword) => known.has(tagNameKey(keyword)));
      if (shared.length > 0) this.relate(ref, skill, { type: 'related_to', context: shared.join(', ') });
    }
  }

  /**
   * Adds an interest and its keywords as tags to the person, and to each node that has one of them as its
   * title or keyword.
   */
  private applyInterest(entry: ResumeEntry): void {
    const name = this.nameOf(entry, 'name');
    if (name === null) return;
    const tag = this.tags.addUnder(null, name, 'interest');
    const below = entry.list('keywords').map((keyword) => this.tags.addUnder(tag, keyword, 'interest'));
    for (const node of this.nodes.values()) {
      const words = new Set([node.title, ...(this.keywords.get(node.ref) ?? [])].map(tagNameKey));
      const found = node.ref === SELF ? below : below.filter((keyword) => words.has(tagNameKey(keyword)));
      if (node.ref === SELF || found.length > 0 || words.has(tagNameKey(tag))) {
        node.tags = [...new Set([...node.tags, tag, ...found])];
      }
    }
  }

  private addEntity(
    entity: { ref: string; category: EntityCategory; name: string; value: string | null; tag: string },
    properties: Record<string, unknown>,
  ): void {
    const { ref, category, name, value, tag } = entity;
    this.put({
      ref,
      title: name,
      value,
      node_type: 'ENTITY',
      meaning_level: 'IDENTITY',
      metadata: { properties: { ...properties, name, category }, source: { section: tag } },
      tags: this.tags.add(`resume/${tag}`, 'resume').reverse(),
    });
  }

  private put(node: ImportedNode): void {
    if (this.nodes.has(node.ref)) this.warn(node.ref, 'named twice, the last one counts');
    this.nodes.set(node.ref, node);
  }

  private free(ref: string): string {
    for (let number = 2; this.nodes.has(ref); number += 1) ref = `${ref.replace(/~\d+$/, '')}~${number}`;
    return ref;
  }

  private relate(from: string, to: string, link: { type: string; context: string | null }): void {
    if (!this.nodes.has(from) || !this.nodes.has(to) || from === to) return;
    const key = JSON.stringify([from, to, link.type]);
    // A mention adds nothing to a stronger relationship.
    if (link.type === 'mentions' && this.related.has(JSON.stringify([from, to]))) return;
    this.related.add(JSON.stringify([from, to]));
    if (!this.relationships.has(key)) this.relationships.set(key, { from, to, ...link });
  }

  private entries(resume: Record<string, unknown>, section: string): ResumeEntry[] {
    const list = resume[section] ?? [];
    if (!Array.isArray(list)) {
      this.warn(section, 'not a list');
      return [];
    }
    return list.flatMap((item: unknown, index) => {
      const place = `${section}[${index}]`;
      if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
        return [new ResumeEntry(place, item as Record<string, unknown>)];
      }
      this.warn(place, 'not an object');
      return [];
    });
  }

  private nameOf(entry: ResumeEntry, field: string): string | null {
    const name = entry.line(field);
    if (name === null) this.warn(entry.place, `left out: no ${field}`);
    return name;
  }

  private reportUnknown(resume: Record<string, unknown>): void {
    const known = new Set([...OTHER_SECTIONS, ...EXPERIENCE_SECTIONS.map((section) => section.section)]);
    for (const section of Object.keys(resume)) {
      if (!known.has(section)) this.warn(oneLine(section), 'section not of the JSON Résumé schema, left out');
    }
  }

  private warn(ref: string, message: string): void {
    this.warnings.push({ code: 'bad_entry', ref, message });
  }
}

function experienceText(entry: ResumeEntry, highlights: readonly string[]): string | null {
  const summary = [entry.text('description'), entry.text('summary')].filter((text) => text !== null);
  const bullets = [...highlights, ...entry.list('courses')].map((line) => `- ${line}`).join('\n');
  return [...summary, bullets].filter((text) => text !== '').join('\n\n') || null;
}

/** Dates that this service cannot read, as written. */
function unreadDates(
  when: When | null,
  written: { start: string | null; end: string | null },
): Record<string, string> {
  const { start, end } = written;
  return {
    ...(start !== null && when?.start === undefined && { start_as_written: start }),
    ...(end !== null && when?.end === undefined && { end_as_written: end }),
  };
}

/** A copy without absent or empty values. */
function present(values: Record<string, unknown>, only = Object.keys(values)): Record<string, unknown> {
  const kept = only.map((key) => [key, values[key]] as const);
  return Object.fromEntries(
    kept.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}
