// Replaces `lru-cache` by the same with a fiftieth of the size.
import { createRequire } from 'node:module';

const SHARE = 50;
const caches = createRequire(import.meta.url)('lru-cache');

caches.LRUCache = class LRUCache extends caches.LRUCache {
  constructor({ max, maxSize, ...rest }) {
    super({
      ...rest,
      ...(max === undefined ? {} : { max: Math.ceil(max / SHARE) }),
      ...(maxSize === undefined ? {} : { maxSize: Math.ceil(maxSize / SHARE) }),
    });
  }
};
