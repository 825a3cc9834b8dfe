/**
 * An error for the log. Database errors repeat values in `detail`, `parameters` and `query`; none of these is logged.
 */
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
 * PostgreSQL and JSON.parse quote the offending value. It may contain quotes itself, so that its end is unknown:
 * everything after the first quote is left out.
 */
const withoutValues = (message: string): string => message.replace(/".*/s, '"…').slice(0, 300);
