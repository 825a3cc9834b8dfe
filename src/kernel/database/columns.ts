import { type EntitySchemaColumnOptions } from 'typeorm';

type Column = (name: string, more?: Partial<EntitySchemaColumnOptions>) => EntitySchemaColumnOptions;

const of =
  (type: 'uuid' | 'text' | 'timestamptz' | 'boolean' | 'jsonb' | 'integer'): Column =>
  (name, more = {}) => ({ ...more, type, name });

/** Columns of mapped tables, by their PostgreSQL type. */
export const uuid = of('uuid');
export const text = of('text');
export const time = of('timestamptz');
export const flag = of('boolean');
export const json = of('jsonb');
export const integer = of('integer');

export const primary = { primary: true };
export const nullable = { nullable: true };
/** A column that is read only by explicit selection, so that it cannot slip into an answer. */
export const hidden = { select: false };
