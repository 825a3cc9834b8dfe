declare const importService: (url: string) => Promise<{ outer: typeof globalThis }>;

/** The globals of the service under test, which Jest replaces for the tests themselves. */
export const { outer: outerGlobals } = await importService(
  'data:text/javascript,export const outer=globalThis',
);
