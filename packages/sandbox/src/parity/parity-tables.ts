/** Heading of the part about the sandbox. All other parts are about the specification. */
const SANDBOX_HEADING = 'What only the sandbox does';

/** The two halves of the list, as Markdown. */
export interface ParityTables {
  /** Differences between the sandbox and the live service. */
  readonly sandbox: string;
  /** Points that the specification leaves open, with our answers. */
  readonly open: string;
  /** Number of rows in both. */
  readonly rows: number;
}

/**
 * Splits the decisions into those about the sandbox and those about the specification.
 *
 * @param text limits the rows to those that contain it. Parts without such a row are left out.
 */
export function parityTables(markdown: string, text = ''): ParityTables {
  const parts = markdown
    .split(/^(?=## )/m)
    .slice(1)
    .map((part) => limited(part, text));
  const shown = parts.filter(({ rows }) => rows > 0);
  const joined = (isSandbox: boolean) =>
    shown
      .filter(({ heading }) => (heading === SANDBOX_HEADING) === isSandbox)
      .map(({ markdown }) => markdown)
      .join('\n');
  return {
    sandbox: joined(true),
    open: joined(false),
    rows: shown.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** Drops the rows of a part's tables that lack the text. */
function limited(part: string, text: string): { heading: string; markdown: string; rows: number } {
  let rows = 0;
  let isBody = false;
  const lines = part.split('\n').filter((line) => {
    if (!line.startsWith('|')) {
      isBody = false;
      return true;
    }
    if (!isBody) {
      isBody = /^\|[\s|:-]+$/.test(line);
      return true;
    }
    const isShown = line.toLowerCase().includes(text.toLowerCase());
    if (isShown) rows += 1;
    return isShown;
  });
  return { heading: /^## (.*)/.exec(part)?.[1] ?? '', markdown: lines.join('\n'), rows };
}
