import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { newId } from '../kernel/ids.js';
import { UnitOfWork } from '../kernel/change-log/unit-of-work.js';
import { type Access } from '../privacy/index.js';
import { AmbiguousSource, freeName, overlapOf, onlyOneOf, continuedImport } from './import-choice.js';
import { marksOf } from './import-state.js';
import type { ImportedGraph } from './imported-graph.js';
import { type ImportRecord, ImportsQueries } from './imports.queries.js';

/** The place of a source and its name. */
export interface SourceNaming {
  /** The name that the operator chose; null: found by place and content. */
  chosenName: string | null;
  /** The name of a new import. */
  usual: string;
  /** A hash of the folder; null for a source without a place, which is identified by its usual name. */
  place: string | null;
}

export interface ChosenImport {
  record: ImportRecord;
  /** new; known: by its name or place; moved: by its content, from another place. */
  found: 'new' | 'known' | 'moved';
}

/** An import as its owner sees it. */
export interface ListedImport extends ImportRecord {
  /** The number of living nodes, files included. */
  nodes: number;
}

/** The imports of a person, by name. */
@Injectable()
export class Imports {
  constructor(
    private readonly queries: ImportsQueries,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async list(access: Access): Promise<ListedImport[]> {
    const records = await this.records(access);
    const prefixes = records.map(({ collection }) => marksOf(collection));
    const counts = await this.queries.countMarked(access.ownerId, prefixes);
    return records.map((record) => ({ ...record, nodes: counts.get(marksOf(record.collection)) ?? 0 }));
  }

  /** The import of that name. */
  async find(access: Access, name: string): Promise<ImportRecord | null> {
    return (await this.records(access)).find((record) => isCalled(record, name)) ?? null;
  }

  /**
   * The import of that name that was undone last. Some of its nodes may remain if the undo was interrupted.
   */
  lastUndone({ ownerId }: Access, name: string): Promise<ImportRecord | null> {
    return this.queries.lastUndone(ownerId, name);
  }

  /**
   * The import that a source continues, or a new one. It is saved at once, so that an interrupted import is
   * found again.
   * @throws AmbiguousSource
   */
  async choose(access: Access, graph: ImportedGraph, naming: SourceNaming): Promise<ChosenImport> {
    const records = (await this.records(access)).filter(({ importer }) => importer === graph.importer);
    const taken = (await this.queries.list(access.ownerId)).map(({ name }) => name);
    const chosen = await this.known(access, { graph, records, naming });
    const record = chosen?.record ?? (await this.fresh(access, graph, { naming, taken }));
    const kept = { ...record, place: naming.place, updated_at: this.clock.now() };
    await this.units.run(() => this.queries.save(access.ownerId, kept));
    return { record: kept, found: chosen?.found ?? 'new' };
  }

  private async known(
    { ownerId }: Access,
    { graph, records, naming }: { graph: ImportedGraph; records: ImportRecord[]; naming: SourceNaming },
  ): Promise<ChosenImport | null> {
    const name = naming.chosenName ?? (naming.place === null ? naming.usual : null);
    if (name !== null) {
      const record = records.find((each) => isCalled(each, name));
      return record === undefined ? null : { record, found: 'known' };
    }
    const here = onlyOneOf(records.filter(({ place }) => place === naming.place));
    if (here !== null) return { record: here, found: 'known' };
    const overlaps = [];
    for (const record of records) {
      const where = { importer: record.importer, prefix: marksOf(record.collection) };
      overlaps.push(overlapOf(graph, record, await this.queries.texts(ownerId, where)));
    }
    const moved = continuedImport(overlaps);
    return moved === null ? null : { record: moved, found: 'moved' };
  }

  private async fresh(
    { ownerId }: Access,
    { importer }: ImportedGraph,
    { naming, taken }: { naming: SourceNaming; taken: readonly string[] },
  ): Promise<ImportRecord> {
    if (naming.chosenName !== null && taken.includes(naming.chosenName))
      throw new AmbiguousSource(
        `"${naming.chosenName}" is an import of another kind: choose another --collection`,
      );
    const name = naming.chosenName ?? freeName(naming.usual, taken);
    const id = newId();
    // Marks of an undone import lead to deleted nodes, which the new import must not treat as its own.
    const collection = (await this.queries.isSpent(ownerId, name)) ? `${name} ${id}` : name;
    const now = this.clock.now();
    return { id, name, collection, importer, place: naming.place, created_at: now, updated_at: now };
  }

  /** Saves imports that only the change log has under their names. */
  private async records({ ownerId }: Access): Promise<ImportRecord[]> {
    const logged = await this.queries.listLogged(ownerId);
    if (logged.length > 0)
      await this.units.run(async () => {
        const taken = (await this.queries.list(ownerId)).map(({ name }) => name);
        for (const { name: collection, ...found } of logged) {
          // A vault and a résumé could have the same name before imports had names of their own.
          const name = freeName(collection, taken);
          taken.push(name);
          const place = placeIn(collection);
          await this.queries.save(ownerId, { ...found, id: newId(), name, collection, place });
        }
      });
    return this.queries.list(ownerId);
  }
}

const isCalled = (record: ImportRecord, name: string): boolean =>
  record.name === name || record.collection === name;

/** Earlier names were a folder's name and the hash of its path. */
const placeIn = (name: string): string | null => /^.* ([0-9a-f]{12})$/s.exec(name)?.[1] ?? null;
