import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded, useSettled } from '../hooks.js';
import { authorized } from '../session.js';
import { countOf } from '../words.js';
import { Field, Loading } from './basics.jsx';

interface Picking {
  chosen: readonly string[];
  change: (chosen: string[]) => void;
}

const MOST_TAGS = 40;

const toggled = (list: readonly string[], item: string, isOn: boolean): string[] =>
  isOn ? [...list, item] : list.filter((each) => each !== item);

/** Boxes for the person's tags, with a search where there are many. Chosen ones stay in the list. */
export function TagPicker({ chosen, change }: Picking): JSX.Element {
  const [search, setSearch] = useState('');
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const sought = useSettled(search.trim());
  const { value, error, reload } = useLoaded(async () => {
    const query = {
      access: 'owned' as const,
      include_node_counts: true,
      per_page: MOST_TAGS,
      ...(sought === '' ? {} : { search: sought }),
    };
    const { data } = await authorized().GET('/api/v1/tags', { params: { query } });
    return { tags: data?.tags ?? [], total: data?.total ?? 0 };
  }, [sought]);
  const pick = (id: string, name: string, isOn: boolean): void => {
    setNames((last) => new Map(last).set(id, name));
    change(toggled(chosen, id, isOn));
  };
  const listed = value?.tags ?? [];
  const elsewhere = chosen.filter((id) => !listed.some((tag) => tag.id === id));
  const isLong = sought !== '' || (value !== null && value.total > 8);
  return (
    <fieldset>
      <legend>Notes with one of these tags</legend>
      {isLong && (
        <Field
          label="Find a tag"
          type="search"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {value === null ? (
        <Loading error={error} reload={reload} />
      ) : (
        <div class="chips">
          {elsewhere.map((id) => (
            <Chip
              key={id}
              text={names.get(id) ?? '…'}
              isOn
              pick={(isOn) => pick(id, names.get(id) ?? '', isOn)}
            />
          ))}
          {listed.map(({ id, name, node_count }) => (
            <Chip
              key={id}
              text={name}
              count={node_count}
              isOn={chosen.includes(id)}
              pick={(isOn) => pick(id, name, isOn)}
            />
          ))}
        </div>
      )}
      {value?.total === 0 && (
        <p class="quiet">
          {sought === ''
            ? 'You have no tags yet, and so no notes to pick by them.'
            : 'No tag has this in its name.'}
        </p>
      )}
      {value !== null && value.total > listed.length && (
        <p class="hint">{countOf(value.total - listed.length, 'more tag')}: find them by their name.</p>
      )}
    </fieldset>
  );
}

/** Boxes for the kinds of notes that there are; none chosen means all. */
export function TypePicker({ chosen, change }: Picking): JSX.Element | null {
  const { value } = useLoaded(async () => {
    const query = { access: 'owned' as const };
    return (await authorized().GET('/api/v1/nodes/facets', { params: { query } })).data?.node_types ?? [];
  }, []);
  if (value === null || value.length < 2) return null;
  return (
    <details open={chosen.length > 0}>
      <summary>Only some kinds of notes</summary>
      <fieldset>
        <legend>Kinds; none checked means all</legend>
        <div class="chips">
          {value.map(({ node_type, count }) => (
            <Chip
              key={node_type}
              text={(node_type ?? 'none').toLowerCase().replaceAll('_', ' ')}
              count={count}
              isOn={chosen.includes(node_type ?? '')}
              pick={(isOn) => change(toggled(chosen, node_type ?? '', isOn))}
            />
          ))}
        </div>
      </fieldset>
    </details>
  );
}

function Chip({
  text,
  count,
  isOn,
  pick,
}: {
  text: string;
  count?: number;
  isOn: boolean;
  pick: (isOn: boolean) => void;
}): JSX.Element {
  return (
    <label class="chip">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => pick(currentTarget.checked)} />
      <span>
        {text}
        {count !== undefined && <span class="quiet"> {count.toLocaleString('en')}</span>}
      </span>
    </label>
  );
}
