import { Injectable } from '@nestjs/common';
import { isObject } from '../../../kernel/json/json-values.js';
import { type Access } from '../../../privacy/index.js';
import { type NodeRecord, prepareShown, shownOf, slicesOfShowing } from '../../common/index.js';
import { type Schema, subjectOf } from '../domain/schema.js';
import { SchemasQueries } from '../infrastructure/schemas.queries.js';
import { JsonSchemas, type ResolvedSchema } from './json-schemas.service.js';

/** Nodes that conform to a schema and would no longer conform to its next version. */
export interface InvalidNodes {
  count: number;
  /** The ids of some of them. */
  sample: string[];
}

const SAMPLE = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The effects of a schema change on the nodes that the caller can read. */
@Injectable()
export class SchemaImpact {
  constructor(
    private readonly queries: SchemasQueries,
    private readonly schemas: JsonSchemas,
  ) {}

  /**
   * Counts nodes with the schema and with those that inherit it. Nodes are validated as the caller is shown
   * them, so that a schema does not reveal what a list hides (rule 3.16).
   * @throws SCHEMA_VALIDATION_FAILED when that costs too much
   */
  async of(access: Access, before: Schema, after: ResolvedSchema): Promise<InvalidNodes> {
    const violations: InvalidNodes = { count: 0, sample: [] };
    if (access.exposure.touches('schema_id') || !access.exposure.shows('metadata')) return violations;
    await this.count(violations, access, { id: before.id, after });
    for (const id of await this.queries.inheriting(access, before.id)) {
      const next = await this.schemas.resolveBelow(access, id, after);
      if (next !== null) await this.count(violations, access, { id, after: next });
    }
    return violations;
  }

  private async count(
    violations: InvalidNodes,
    access: Access,
    { id, after }: { id: string; after: ResolvedSchema },
  ): Promise<void> {
    let last = FIRST_ID;
    for (;;) {
      const nodes = await this.queries.nodesWith(access, id, last);
      if (nodes.length === 0) return;
      const wrong = await this.unfit(access, after, nodes);
      const fitted = wrong.length === 0 ? [] : await this.fitting(access, id, wrong);
      violations.count += fitted.length;
      violations.sample.push(...fitted.slice(0, SAMPLE - violations.sample.length).map((node) => node.id));
      last = (nodes.at(-1) as NodeRecord).id;
    }
  }

  private async unfit(
    access: Access,
    schema: Pick<ResolvedSchema, 'jsonSchema'>,
    nodes: readonly NodeRecord[],
  ): Promise<NodeRecord[]> {
    const slices = slicesOfShowing();
    const subjects: ReturnType<typeof subjectOf>[] = [];
    for (const node of nodes) {
      await prepareShown([node], () => access, { slices });
      const { metadata } = shownOf(access, node);
      subjects.push(subjectOf(isObject(metadata) ? metadata : null));
    }
    const violations = await this.schemas.violations(schema, subjects);
    return nodes.filter((_, index) => (violations[index] ?? []).length > 0);
  }

  private async fitting(
    access: Access,
    schemaId: string,
    nodes: readonly NodeRecord[],
  ): Promise<NodeRecord[]> {
    const unfit = new Set(await this.unfit(access, await this.schemas.resolve(access, schemaId), nodes));
    return nodes.filter((node) => !unfit.has(node));
  }
}
