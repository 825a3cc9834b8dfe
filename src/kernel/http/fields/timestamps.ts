// RFC 3339 with optional time and zone, and only years that PostgreSQL and JavaScript write alike.
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 text, as a Date; without a zone it is UTC. A space in place of '+' (an unescaped query) is read as '+'. */
export function parseTimestamp(text: string): Date | null {
  const repaired = text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  if (!DATE.test(repaired)) return null;
  const zoned =
    /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(repaired) || !/T/i.test(repaired) ? repaired : `${repaired}Z`;
  const date = new Date(zoned);
  const year = date.getUTCFullYear();
  const [y, m, d] = repaired.slice(0, 10).split('-').map(Number) as [number, number, number];
  const exists = d <= new Date(Date.UTC(y, m, 0)).getUTCDate();
  return exists && year >= 1 && year <= 9999 ? date : null;
}
