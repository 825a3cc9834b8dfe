/**
 * SQL as a value. Text and parameters stay separate all the way to the driver, so that no caller can put a value into
 * the text: `${x}` becomes a numbered parameter, unless x is itself a fragment.
 *
 *   sql`SELECT id FROM nodes WHERE owner_id = ${owner} AND ${compile(visibility)}`
 */
export class Sql {
  private made: SentValues | null = null;

  /** Alternates literal text and parameters: strings.length === params.length + 1. */
  constructor(
    readonly strings: readonly string[],
    readonly params: readonly unknown[],
  ) {}

  /** PostgreSQL text with $1 … $n. */
  get text(): string {
    return this.textFrom(1);
  }

  /** The text as a part of a longer statement, with parameters numbered from `$first`. */
  textFrom(first: number): string {
    const { places } = this.sent;
    let text = this.strings[0] as string;
    for (let i = 1; i < this.strings.length; i++)
      text += `$${first + (places[i - 1] as number)}${this.strings[i]}`;
    return text;
  }

  get values(): unknown[] {
    return [...this.sent.values];
  }

  /** The values to send, and the place of each parameter among them. */
  private get sent(): SentValues {
    return (this.made ??= sentValues(this));
  }
}

interface SentValues {
  values: readonly unknown[];
  places: readonly number[];
}

/** Lists of ids from this length on are sent once, however often a statement has them, and as one text. */
const LONG_LIST = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function sentValues({ strings, params }: Sql): SentValues {
  const values: unknown[] = [];
  const places: number[] = [];
  const lists = new Map<string, number>();
  params.forEach((param, index) => {
    const text = (strings[index + 1] as string).startsWith('::uuid[]') ? textOfIds(param) : null;
    const known = text === null ? undefined : lists.get(text);
    if (text !== null && known === undefined) lists.set(text, values.length);
    places.push(known ?? values.length);
    if (known === undefined) values.push(text ?? param);
  });
  return { values, places };
}

/** A long list of ids as the database reads it; the driver would quote each of them, which takes ten times as long. */
function textOfIds(param: unknown): string | null {
  if (!Array.isArray(param) || param.length < LONG_LIST) return null;
  return param.every((id) => typeof id === 'string' && UUID.test(id)) ? `{${param.join()}}` : null;
}

export function sql(strings: TemplateStringsArray, ...args: unknown[]): Sql {
  const texts: string[] = [strings[0] as string];
  const params: unknown[] = [];
  args.forEach((arg, i) => {
    const after = strings[i + 1] as string;
    if (arg instanceof Sql) {
      texts[texts.length - 1] += arg.strings[0] as string;
      arg.params.forEach((param, j) => {
        params.push(param);
        texts.push(arg.strings[j + 1] as string);
      });
      texts[texts.length - 1] += after;
    } else {
      params.push(arg);
      texts.push(after);
    }
  });
  return new Sql(texts, params);
}

/** Unescaped text. Only for names and keywords written in the source, never for input. */
sql.raw = (text: string): Sql => new Sql([text], []);

sql.empty = new Sql([''], []);

/** Fragments with a separator between them; an empty fragment for an empty list. */
sql.join = (parts: readonly Sql[], separator = ', '): Sql => {
  if (parts.length === 0) return sql.empty;
  const texts = [''];
  parts.forEach(({ strings }, index) => {
    texts[texts.length - 1] += (index === 0 ? '' : separator) + (strings[0] as string);
    texts.push(...strings.slice(1));
  });
  return new Sql(
    texts,
    parts.flatMap(({ params }) => params),
  );
};

/** The rows of all these SELECTs, each with its own order and bound; at least one is needed. */
sql.unionAll = (selects: readonly Sql[]): Sql =>
  sql.join(
    selects.map((select) => sql`(${select})`),
    ' UNION ALL ',
  );

/** Conditions joined by AND; TRUE if the list is empty. */
sql.and = (conditions: readonly (Sql | null | undefined | false)[]): Sql => {
  const given = conditions.filter((condition): condition is Sql => condition instanceof Sql);
  return given.length === 0 ? sql.raw('TRUE') : sql.join(given, ' AND ');
};

/**
 * The same condition with its lists hidden from the planner, each in a sub-select: PostgreSQL then estimates every list
 * alike and makes one plan per connection, where planning again would cost more than reading the page. For statements
 * whose best plan does not depend on the lists.
 */
sql.plannedOnce = ({ strings, params }: Sql): Sql => {
  const texts = [...strings];
  for (let i = 0; i < params.length; i++) {
    const [cast] = /^::[a-z]+\[\]/.exec(texts[i + 1] as string) ?? [];
    if (cast === undefined) continue;
    texts[i] += '(SELECT ';
    // The outer cast keeps `ANY (…)` from taking it for its subquery.
    texts[i + 1] = `${cast})${texts[i + 1] as string}`;
  }
  return new Sql(texts, params);
};
