import { type Flags, type FlagText, flagName } from './flag.js';

/** What the help of a command is made of. */
export interface CommandHelp {
  /** The words that call it: `latchkey serve`. */
  readonly call: string;
  /** What it does; begins with a capital, ends with a full stop. */
  readonly summary: string;
  /** Lines that show how it is called. */
  readonly usage: readonly string[];
  readonly flags: Flags;
  /** What more there is to know, paragraph by paragraph. */
  readonly notes?: readonly string[];
}

const WIDTH = 96;
const INDENT = 2;
/** A name that is longer stands on a line of its own. */
const NAMES_WIDTH = 30;

/** The help of a command. */
export function helpText({ call, summary, usage, flags, notes = [] }: CommandHelp): string {
  const sections = [
    `${call}: ${summary}`,
    ['Usage', ...usage.map((line) => `  ${line}`)].join('\n'),
    ...flagSections(flags),
    ...notes.map((note) => wrap(note, 0)),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** Two columns: names, and what is behind them. */
export function columns(rows: readonly (readonly [name: string, summary: string])[]): string {
  const width = Math.min(NAMES_WIDTH, Math.max(...rows.map(([name]) => name.length)) + INDENT);
  return rows
    .map(([name, summary]) => {
      const left = ' '.repeat(INDENT) + name;
      const right = wrap(summary, INDENT + width);
      return name.length >= width ? `${left}\n${right}` : left + right.slice(left.length);
    })
    .join('\n');
}

function flagSections(flags: Flags): string[] {
  const rows = [
    ...Object.entries(flags).map(([setting, { takes, mustBeGiven, text }]) => ({
      heading: text.heading ?? 'Flags',
      row: [
        takes === 'nothing'
          ? `${flagName(setting)}${text.placeholder ?? ''}`
          : `${flagName(setting)} ${text.placeholder ?? '<value>'}`,
        [text.summary, takes === 'values' ? 'Can be given more than once.' : '', origins(text, mustBeGiven)]
          .filter((part) => part !== '')
          .join(' '),
      ] as const,
    })),
  ];
  const headings = [...new Set(rows.map(({ heading }) => heading))];
  return headings.map(
    (heading) =>
      `${heading}\n${columns(rows.filter((row) => row.heading === heading).map(({ row }) => row))}`,
  );
}

function origins({ variable, fallback, fallbackText }: FlagText, mustBeGiven: boolean): string {
  const shown = fallbackText ?? (fallback === 'false' ? undefined : fallback);
  const parts = [
    ...(variable === undefined ? [] : [variable]),
    ...(shown === undefined ? [] : [`default ${shown}`]),
    ...(mustBeGiven ? ['must be given'] : []),
  ];
  return parts.length === 0 ? '' : `[${parts.join(', ')}]`;
}

/** Breaks text into lines that begin at a column. */
function wrap(text: string, column: number): string {
  const margin = ' '.repeat(column);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && column + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((each) => margin + each).join('\n');
}
