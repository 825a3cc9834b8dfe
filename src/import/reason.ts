/** The reason why a file could not be read, without code, call and path: `no such file or directory`. */
export function reasonOf(error: unknown): string {
  const { message = String(error) } = error as { message?: string };
  return message.replace(/^[A-Z]+: /, '').replace(/, [a-z]+(?: '.*')?$/s, '');
}
