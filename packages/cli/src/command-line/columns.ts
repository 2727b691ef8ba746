const INDENT = '  ';

/** Two aligned columns of text, indented. */
export function columns(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${INDENT}${name.padEnd(width)}${INDENT}${text}`).join('\n');
}
