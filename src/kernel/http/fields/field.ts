import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';
import { rememberField } from './field-metadata.js';

export interface FieldOptions {
  /** May be absent. Default: required. */
  optional?: boolean;
  /** May be null; in a PUT null clears (rule 4.2a). */
  nullable?: boolean;
  description?: string;
  example?: unknown;
  /** The value of an absent field; makes the field optional. */
  default?: unknown;
}

/** In this class-transformer group texts are converted: everything in a query string is a text. */
export const QUERY_GROUP = 'query';
export const MAX_INTEGER = 2_147_483_647;

/** The base of every kind of field: conversion, validation and OpenAPI together, so that they cannot drift apart. */
export function field(
  options: FieldOptions,
  api: ApiPropertyOptions,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const optional = options.optional === true || options.default !== undefined;
  const { description, example, nullable } = options;
  return applyDecorators(
    ApiProperty({
      ...api,
      required: !optional,
      ...(nullable ? { nullable: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      ...(options.default === undefined ? {} : { default: options.default }),
    } as ApiPropertyOptions),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable === true && value === null)),
    ...checks,
    rememberField({
      ...(optional ? {} : { isRequired: true }),
      ...(options.default === undefined ? {} : { default: options.default }),
    }),
  );
}

/** Marks a conversion that also applies to bodies. */
export const converted = (...by: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(...by, rememberField({ isConverted: true }));

/** Conversion of a query text; bodies keep their JSON types. */
export const fromText = (convert: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value, options }) =>
    options.groups?.includes(QUERY_GROUP) && typeof value === 'string' ? convert(value) : (value as unknown),
  );

export const toNumber = fromText((text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text));
