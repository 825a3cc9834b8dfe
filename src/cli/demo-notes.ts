import { type ImportedGraph, type ImportedNode } from '../import/index.js';

/** A handful of nodes of an invented person, one of them private. */
export function demoGraph(): ImportedGraph {
  const nodes: ImportedNode[] = [
    node('self', 'Robin Vale', {
      type: 'ENTITY',
      tags: ['about me'],
      properties: { name: 'Robin Vale', category: 'person' },
    }),
    node('choir', 'Sang the alto part of the spring concert', {
      type: 'EXPERIENCE',
      tags: ['music'],
      value: 'Three encores. The second sopranos were late, nobody else noticed.',
      properties: { when: { type: 'instance', status: 'done', start: '2024-05-18' }, where: 'Town hall' },
    }),
    node('sourdough', 'Bake a loaf that deserves its crust', {
      type: 'GOAL',
      tags: ['cooking'],
      properties: { motivation: 'The neighbour’s is better', time_horizon: 'short_term', status: 'active' },
    }),
    node('patience', 'Most things get easier after a walk', {
      type: 'BELIEF',
      tags: ['about me'],
      properties: { category: 'about_self', strength_of_belief: 8, status: 'active' },
    }),
    node('diary', 'Could not sleep, again', {
      type: 'NOTE',
      tags: ['private', 'health'],
      value: 'Third night. Call the doctor.',
    }),
  ];
  return {
    importer: 'demo',
    nodes,
    relationships: [
      { from: 'self', to: 'choir', type: 'has_experience', context: null },
      { from: 'self', to: 'sourdough', type: 'pursues', context: null },
      { from: 'diary', to: 'patience', type: 'references', context: null },
    ],
    tags: [],
    warnings: [],
  };
}

interface NoteDraft {
  type: string;
  tags: string[];
  value?: string;
  properties?: Record<string, unknown>;
}

function node(ref: string, title: string, { type, tags, value, properties }: NoteDraft): ImportedNode {
  return {
    ref,
    title,
    value: value ?? null,
    node_type: type,
    meaning_level: type === 'NOTE' ? 'CONTEXT' : 'IDENTITY',
    metadata: { properties: properties ?? {}, source: {} },
    tags,
  };
}
