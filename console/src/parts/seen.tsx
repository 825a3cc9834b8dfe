import { type JSX } from 'preact';
import { textVisibly } from '../../../src/kernel/text/unseen-characters.js';

const CODE = /(\[U\+[0-9A-F]{4,6}\])/;

/** A text of somebody else. Characters in it that cannot be seen are marked, and it orders nothing around it. */
export function Seen({ text }: { text: string }): JSX.Element {
  return (
    <bdi>
      {partsOf(text).map(({ part, isMark }, index) =>
        isMark ? (
          <mark key={index} class="unseen">
            {part}
          </mark>
        ) : (
          part
        ),
      )}
    </bdi>
  );
}

/** The text in parts: codes in the place of characters, and all between; a code that the text itself spells is no mark. */
function partsOf(text: string): { part: string; isMark: boolean }[] {
  let at = 0;
  return textVisibly(text)
    .split(CODE)
    .map((part) => {
      const isMark = !text.startsWith(part, at);
      at += isMark ? String.fromCodePoint(text.codePointAt(at) ?? 0).length : part.length;
      return { part, isMark };
    });
}

/** A name in quotation marks, or words in its place. */
export function Quoted({ name, instead }: { name: string | null; instead: string }): JSX.Element {
  if (name === null || name === '') return <>{instead}</>;
  return (
    <>
      “<Seen text={name} />”
    </>
  );
}
