import { copyEndpoint } from './endpoint.js';
import { type Controller } from './route-table.js';

export type Method = (this: unknown, ...args: unknown[]) => unknown;

const made = new WeakMap<object, Set<symbol>>();

/**
 * Puts another method in the place of a controller's, as the same route: with its name, its metadata and its endpoint. Of
 * controllers that inherit a method each is wrapped once. An interceptor would do the same, but Nest makes a chain of
 * observables for each request of a route that has one. Must be called before the routes are registered.
 * @param layer names the purpose
 * @param around makes the method that is called instead
 */
export function wrapMethod(
  { prototype }: Controller,
  { name, layer }: { name: string; layer: symbol },
  around: (method: Method) => Method,
): void {
  const method = prototype[name] as Method;
  const layers = made.get(method) ?? new Set();
  if (layers.has(layer)) return;
  const wrapper = around(method);
  Object.defineProperty(wrapper, 'name', { value: name });
  for (const key of Reflect.getOwnMetadataKeys(method) as string[])
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, method), wrapper);
  copyEndpoint(method, wrapper);
  made.set(wrapper, new Set([...layers, layer]));
  prototype[name] = wrapper;
}
