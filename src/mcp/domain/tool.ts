import { type Ability } from './abilities.js';
import { type Api, type Json } from './api.js';

/** A JSON Schema of an object (2020-12), short enough for a model's context. */
export interface ObjectSchema {
  type: 'object';
  properties: Record<string, Json>;
  required?: string[];
  additionalProperties?: boolean;
}

/** The program that speaks MCP, as far as it says so. */
export interface ClientName {
  name: string;
  version: string | null;
}

export interface ToolCall {
  api: Api;
  /** Arguments that fit the tool's input schema. */
  arguments: Json;
  /** Null where the protocol's revision names no client in a call. */
  client: ClientName | null;
  links: Links;
}

/** Addresses of the service that answers name. */
export interface Links {
  /** The page on which the person reads a node. */
  node(id: string): string;
  /** The page on which the person sees and changes what the app may do; of all apps where the id is unknown. */
  app(authorizationId: string | null): string;
  /** The page on which the person decides on a proposal. */
  proposal(id: string): string;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: ObjectSchema;
  output: ObjectSchema;
  /** The kind of change that a call makes, from none to one that takes something away. */
  effect: 'reads' | 'adds' | 'changes' | 'destroys';
  /** The abilities of which one is enough for the tool to be listed; empty: it is listed to every client. */
  offeredWith: readonly Ability[];
  /** @throws ApiRefusal */
  run(call: ToolCall): Promise<Json>;
}

/** Hints for clients, which ask their person before some tools (tools/list of the specification). */
export function annotationsOf({ title, effect }: Tool): Json {
  return {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'changes' || effect === 'destroys',
    idempotentHint: effect !== 'adds',
    openWorldHint: false,
  };
}
