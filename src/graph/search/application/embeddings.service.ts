import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, isFaultOfPart } from '../../../kernel/errors/domain-error.js';
import { isId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access } from '../../../privacy/index.js';
import { type Embedding, unitVector } from '../domain/embedding.js';
import { changeOfEmbedding } from '../domain/embedding-change.js';
import {
  type Node,
  NodesRepository,
  permitted,
  type Precondition,
  AccessibleNodes,
} from '../../nodes/index.js';
import { EmbeddingsRepository } from '../infrastructure/embeddings.repository.js';

export interface GivenEmbedding {
  embedding: readonly number[];
  model?: string | null;
}

/** One item as it could be read, or its error. */
export type EmbeddingEntry = { id: string | null; body: (GivenEmbedding & { id: string }) | DomainError };

interface EmbeddingError {
  index: number;
  id: string | null;
  error: DomainError;
}

export interface SavedEmbedding {
  nodeId: string;
  model: string | null;
  dimensions: number;
  updatedAt: Date;
}

interface NodeEmbedding {
  node: Node;
  embedding: Embedding;
}

export interface EmbeddingsOutcome {
  updated: number;
  errors: EmbeddingError[];
}

/**
 * Vectors that callers compute and nodes carry. A vector is not a part of its node and makes no version of
 * it. It has its own row in the change log, for the event node.embedding.updated (rule 4.6).
 */
@Injectable()
export class EmbeddingsService {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly reached: AccessibleNodes,
    private readonly embeddings: EmbeddingsRepository,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws VALIDATION_ERROR; NODE_NOT_FOUND, PERMISSION_DENIED when the node has changed since it was
   * located; PRECONDITION_FAILED
   */
  async put(
    access: Access,
    located: Node,
    { given, precondition }: { given: GivenEmbedding; precondition: Precondition },
  ): Promise<SavedEmbedding> {
    const embedding = embeddingOf(located.id, given);
    const updatedAt = this.clock.now();
    await this.units.run(async () => {
      const locked = await this.nodes.lock(access.ownerId, [located.id]);
      const node = permitted(access, locked.get(located.id) ?? null, 'edit');
      await precondition(node);
      await this.save(access.ownerId, [{ node, embedding }], updatedAt);
    });
    const { model, unit } = embedding;
    return { nodeId: located.id, model: model || null, dimensions: unit.length, updatedAt };
  }

  /**
   * Saves embeddings in one unit of work. An invalid item is reported and does not undo the others. Of
   * equal keys the last one counts.
   */
  putMany(access: Access, entries: readonly EmbeddingEntry[]): Promise<EmbeddingsOutcome> {
    return this.units.run(async () => {
      const named = entries.flatMap(({ body }) => (body instanceof DomainError ? [] : [body.id]));
      const ids = [...new Set(named.filter(isId).map((id) => id.toLowerCase()))];
      const nodes = await this.reached.lock(access, ids);
      const errors: EmbeddingError[] = [];
      const kept = new Map<string, NodeEmbedding>();
      for (const [index, { id, body }] of entries.entries()) {
        try {
          if (body instanceof DomainError) throw body;
          const found = nodes.get(body.id.toLowerCase());
          const node = permitted(found?.access ?? access, found?.node ?? null, 'edit');
          const embedding = embeddingOf(node.id, body);
          kept.set(JSON.stringify([node.id, embedding.model, embedding.unit.length]), { node, embedding });
        } catch (error) {
          if (!isFaultOfPart(error)) throw error;
          errors.push({ index, id, error });
        }
      }
      await this.saveAll([...kept.values()], this.clock.now());
      return { updated: entries.length - errors.length, errors };
    });
  }

  private async saveAll(saved: readonly NodeEmbedding[], at: Date): Promise<void> {
    const owners = new Set(saved.map(({ node }) => node.ownerId));
    for (const owner of owners) {
      await this.save(
        owner,
        saved.filter(({ node }) => node.ownerId === owner),
        at,
      );
    }
  }

  private async save(ownerId: string, saved: readonly NodeEmbedding[], at: Date): Promise<void> {
    await this.embeddings.save(
      ownerId,
      saved.map(({ embedding }) => embedding),
      at,
    );
    for (const { node, embedding } of saved) {
      const { model, unit } = embedding;
      this.changes.append(changeOfEmbedding(node, { model, dimensions: unit.length }));
    }
  }
}

const embeddingOf = (nodeId: string, { embedding, model }: GivenEmbedding): Embedding => ({
  nodeId,
  model: model ?? '',
  unit: unitVector(embedding),
});
