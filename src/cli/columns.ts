/** Rows of cells as text in columns, each cell wrapped to its column's width. */
export function columns(rows: readonly string[][], widths: readonly number[]): string[] {
  return rows.flatMap((row) => {
    const cells = row.map((cell, index) => wrap(cell, widths[index] ?? cell.length));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, index) => (lines[line] ?? '').padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  });
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ').flatMap((part) => chop(part, width))) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });
}

function chop(word: string, width: number): string[] {
  return word.length <= width ? [word] : (word.match(new RegExp(`[^]{1,${width}}`, 'gu')) ?? []);
}
