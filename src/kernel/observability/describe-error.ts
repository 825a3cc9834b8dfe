/** Database errors repeat values in `detail`, `parameters` and `query`; none of that is written. */
export function describeError(error: unknown): object {
  if (typeof error !== 'object' || error === null || !('message' in error)) return { type: typeof error };
  const { name, type, message, stack, code, constraint, table } = error as Record<string, string | undefined>;
  return {
    type: name ?? type,
    message: withoutValues(String(message)),
    stack: stack
      ?.replace(String(message), '')
      .split('\n')
      .filter((row) => row.trim().startsWith('at '))
      .join('\n'),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
  };
}

/**
 * PostgreSQL and JSON.parse quote what they complain of. A value may hold quotes itself, so that nobody can tell where
 * it ends: nothing after the first one is written.
 */
const withoutValues = (message: string): string => message.replace(/".*/s, '"…').slice(0, 300);
