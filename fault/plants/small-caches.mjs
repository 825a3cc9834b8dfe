// Both a hook for modules and the module that it puts in the place of `lru-cache`: the same with a fiftieth of the room.
import { LRUCache as Roomy } from 'lru-cache';

const SHARE = 50;

export class LRUCache extends Roomy {
  constructor({ max, maxSize, ...rest }) {
    super({
      ...rest,
      ...(max === undefined ? {} : { max: Math.ceil(max / SHARE) }),
      ...(maxSize === undefined ? {} : { maxSize: Math.ceil(maxSize / SHARE) }),
    });
  }
}

export function resolve(name, context, next) {
  if (name !== 'lru-cache' || context.parentURL === import.meta.url) return next(name, context);
  return { url: import.meta.url, format: 'module', shortCircuit: true };
}
