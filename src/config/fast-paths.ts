/**
 * Shortcuts around what Express, Nest, class-validator, class-transformer and the driver do in general. The service
 * behaves alike without them, only slower: the setting FAST_PATHS_OFF names those to leave out, to find out if a fault
 * is one of theirs and to measure their gain (`npm run bench -- --against FAST_PATHS_OFF=…`).
 */
export const FAST_PATHS = [
  'bound-parameters',
  'collected-checks',
  'fields-as-sent',
  'request-shapes',
  'route-prefixes',
  'row-descriptions',
] as const;
export type FastPath = (typeof FAST_PATHS)[number];
