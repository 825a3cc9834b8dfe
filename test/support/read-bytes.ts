import { jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

declare const importService: (url: string) => Promise<{ default: { Query: { prototype: DriverQuery } } }>;

/** The driver of the service under test, which Jest loads again for the tests themselves. */
const { default: driver } = await importService(
  pathToFileURL(createRequire(import.meta.url).resolve('pg')).href,
);

interface DriverQuery {
  /** The label of the statement and a hash. */
  readonly name?: string;
  handleDataRow(message: { readonly length: number }): void;
}

/** The bytes of rows that statements return to this process, from now on until the test restores its mocks. */
export class ReadBytes {
  private readonly byStatement = new Map<DriverQuery, number>();

  constructor() {
    const { prototype } = driver.Query;
    const { handleDataRow } = prototype;
    const { byStatement } = this;
    jest.spyOn(prototype, 'handleDataRow').mockImplementation(function (this: DriverQuery, message) {
      byStatement.set(this, (byStatement.get(this) ?? 0) + message.length);
      handleDataRow.call(this, message);
    });
  }

  /** The most bytes of one statement. */
  get most(): number {
    return Math.max(0, ...this.byStatement.values());
  }

  /** The most bytes of one statement with this label. */
  mostOf(label: string): number {
    const some = [...this.byStatement].filter(([{ name }]) => name?.startsWith(`${label}:`) === true);
    return Math.max(0, ...some.map(([, bytes]) => bytes));
  }

  get total(): number {
    return [...this.byStatement.values()].reduce((sum, bytes) => sum + bytes, 0);
  }
}
