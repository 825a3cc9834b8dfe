import { Injectable } from '@nestjs/common';
import { type Node, NodePresenter, OwnerEdits, type WireNode } from '../../graph/index.js';
import { NODES_OF_A_PART } from '../domain/named-things.js';
import { ENDS, type Look, readableOf, stateOf, titleOfRef } from './diff-entries.js';
import { type DiffEntryDto, type NamedNodeDto } from './proposal-review.dto.js';

/** Names things in the diff of a proposal, as far as the viewer is shown them. */
@Injectable()
export class DiffNames {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly presenter: NodePresenter,
  ) {}

  /** Replaces ids of nodes and schemas by their names, and adds a title to each entry. */
  async add(look: Look, entries: readonly DiffEntryDto[]): Promise<void> {
    const { access, nodes, proposal } = look;
    const fields = entries.flatMap((entry) => entry.fields);
    const idsIn = (names: readonly string[]) =>
      fields
        .filter(({ field }) => names.includes(field))
        .flatMap(({ before, after }) => [before, after])
        .filter((id) => typeof id === 'string');
    const ends = await this.ofNodes(look, idsIn(ENDS));
    const schemas = await this.edits.schemaNames(access, idsIn(['schema_id']));
    const named = (field: string, value: unknown): unknown => {
      if (typeof value !== 'string') return value;
      const id = value.toLowerCase();
      if (field === 'schema_id') return schemas.has(id) ? { id, name: schemas.get(id) } : value;
      if (field.endsWith('_ref')) return { ref: value, title: titleOfRef(proposal, value) };
      return (ENDS.some((end) => end === field) ? ends.get(id) : undefined) ?? value;
    };
    for (const field of fields) {
      field.before = named(field.field, field.before);
      field.after = named(field.field, field.after);
    }
    for (const entry of entries) {
      const node = entry.entity === 'node' ? nodes.get(entry.entity_id ?? '') : undefined;
      entry.title = node ? (await this.named(look, node)).title : null;
    }
  }

  /** Names a node as it is now. */
  async named(look: Look, node: Node): Promise<NamedNodeDto> {
    const { title } = await this.shown({ ...look, forecast: null }, node);
    return { id: node.id, title: typeof title === 'string' ? title : null };
  }

  /** A node as the actions before leave it. */
  async shown(look: Look, node: Node): Promise<WireNode> {
    const { slices, forecast } = look;
    const access = forecast === null ? look.access : { ...look.access, vocabulary: forecast.tags };
    const state = stateOf(look, node);
    await this.presenter.prepare(access, [state], slices);
    const shown = this.presenter.present(access, state);
    return access.isOwner ? { ...shown, graph_view: state.graph_view } : shown;
  }

  /** The names of nodes that the viewer can read, by id. Few of them are loaded at a time, with their content. */
  private async ofNodes(look: Look, ids: readonly string[]): Promise<Map<string, NamedNodeDto>> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const named = new Map<string, NamedNodeDto>();
    for (let from = 0; from < wanted.length; from += NODES_OF_A_PART) {
      const part = await this.edits.look(look.access, wanted.slice(from, from + NODES_OF_A_PART));
      for (const [id, node] of readableOf(look.access, part)) named.set(id, await this.named(look, node));
    }
    return named;
  }
}
