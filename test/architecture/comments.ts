import ts from 'typescript';

export interface Comment {
  line: number;
  text: string;
}

/** The text of a comment without its marks; lines of a block are joined. */
const textOf = (raw: string): string =>
  raw
    .replace(/^\/(?:\/|\*+)|\*\/$/g, '')
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** All comments of a file. Line comments under each other are one comment. */
export function commentsIn(file: string, source: string): Comment[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source, node.getEnd()) ?? [];
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
    node.getChildren(parsed).forEach(collect);
  };
  collect(parsed);
  const comments: Comment[] = [];
  let end = -1;
  for (const { pos, end: next, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const text = textOf(source.slice(pos, next));
    const isContinued =
      kind === ts.SyntaxKind.SingleLineCommentTrivia && /^\n\s*$/.test(source.slice(end, pos));
    const last = comments.at(-1);
    if (isContinued && last) last.text += ` ${text}`;
    else comments.push({ line: parsed.getLineAndCharacterOfPosition(pos).line + 1, text });
    end = kind === ts.SyntaxKind.SingleLineCommentTrivia ? next : -1;
  }
  return comments;
}
