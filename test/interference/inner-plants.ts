import { type Plant } from './plants.js';

const writes = /^(PUT|PATCH) \S+\/nodes\/\{node_id\}$/;
const reads = /^GET \S+\/nodes\/\{node_id\}$/;
const rehearsals = /^POST \S+\/(schemas|proposals)$|^PATCH \S+\/proposals\/\{proposal_id\}$/;
const past = /^GET \S+\/nodes\/\{node_id\}(\/history|\/contributions)?$/;

const exposure = async () =>
  (await import('../../src/privacy/domain/exposure/field-exposure.js')).FieldExposure.prototype;

/** Faults inside visible nodes, as a red team found them (F1 to F5). */
export const INNER_PLANTS: Plant[] = [
  {
    name: 'F1',
    fault: 'a rehearsal that judges what its app is not shown',
    subject: 'masked app',
    only: rehearsals,
    shows: /\/proposals/,
    async put(soil) {
      const { TrialEdits } = await import('../../src/graph/edits/application/trial-edits.js');
      soil.patch(TrialEdits.prototype, 'change', (change) => (access, node, { judging, ...edit }) => {
        void judging;
        return change(access, node, edit);
      });
    },
  },
  {
    name: 'F2',
    fault: 'a write that takes its writer’s own mask off',
    subject: 'typed app',
    only: new RegExp(`${writes.source}|${reads.source}`),
    shows: /\/nodes/,
    async put(soil) {
      soil.patch(await exposure(), 'loosens', () => () => false);
    },
  },
  {
    name: 'F3',
    fault: 'a past shown by the masks of then alone',
    subject: 'labelled app',
    only: past,
    shows: /\/(history|contributions)/,
    async put(soil) {
      soil.patch(await exposure(), 'working', (working) => (states) => working(oneOf(states, 0)));
    },
  },
  {
    name: 'F3-now',
    fault: 'a past shown by the masks of now alone',
    subject: 'typed app',
    only: past,
    // A webhook that was planned before the mask was removed shows the past as well.
    shows: /\/(history|contributions)|webhooks/,
    async put(soil) {
      soil.patch(await exposure(), 'working', (working) => (states) => working(oneOf(states, -1)));
    },
  },
  {
    name: 'F4',
    fault: 'a schema that is held against what its writer is not shown',
    subject: 'brief app',
    only: new RegExp(`${writes.source}|^POST \\S+/schemas$`),
    shows: /holds against schemas|\/nodes/,
    async put(soil) {
      const { SchemaChecks } = await import('../../src/graph/nodes/application/node-schemas.js');
      soil.patch(SchemaChecks.prototype, 'ofChange', (ofChange, checks) => async (node, change) => {
        const version = (await ofChange(node, change)) as unknown;
        if (change.own === null) return version;
        const { schema_id, metadata } = { ...node.record, ...change.fields };
        await (checks['ofNew']?.({ schema_id, metadata }) as Promise<unknown>).catch(() => null);
        return version;
      });
    },
  },
  {
    name: 'F5',
    fault: 'a vector search over nodes that are masked',
    subject: 'masked app',
    only: /^POST \S+\/nodes\/search$/,
    shows: /\/nodes\/search/,
    async put(soil) {
      const { visibility } = await import('../../src/privacy/index.js');
      soil.patch(await exposure(), 'unaltered', () => () => visibility.all);
    },
  },
  {
    name: 'F6',
    fault: 'a contribution for each write but that of the very value that is shown in part',
    subject: 'ending app',
    only: new RegExp(`${writes.source}|${past.source}`),
    shows: /\/contributions/,
    async put(soil) {
      const { ContributionStepsQueries } =
        await import('../../src/provenance/infrastructure/contribution-steps.queries.js');
      soil.replace(ContributionStepsQueries, 'steps', () => nothing);
    },
  },
  {
    name: 'F7',
    fault: 'a hash that is the same in every node',
    subject: 'hashed app',
    only: new RegExp(`${writes.source}|${reads.source}`),
    shows: /\/nodes/,
    async put(soil) {
      const { CompiledTransformation } =
        await import('../../src/privacy/domain/exposure/compiled-transformation.js');
      for (const name of ['apply', 'applying'])
        soil.patch(CompiledTransformation.prototype, name, (show) => (path, value) => show(path, value, ''));
    },
  },
];

async function* nothing(): AsyncGenerator<never> {
  // No step is checked.
}

const oneOf = (states: unknown, at: number): unknown => (Array.isArray(states) ? states.at(at) : states);
