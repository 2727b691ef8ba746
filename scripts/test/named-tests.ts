/** A line that opens a group or a test, with its title if the title is in the same call. Or a line that closes a block. */
const LINES =
  /^( *)(?:(?:(?:test\.)?(describe|it|test)\b[^\n]*?|(\])[^\n]*?\))(?:\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`)\s*,|$)|(\}\);)$)/gm;

/** Requirement ids at the end of a title. */
const CITED_IDS = /(?:\s*\[[a-z][a-z0-9-]*\.[a-z0-9-]+\])+$/;

interface Group {
  indent: number;
  title: string;
}

/**
 * Returns the names of the tests in a source file as `group › test`, as they are written there, without the
 * requirement ids at the end. It reads the indentation that the formatter produces.
 */
export function namedTests(source: string): string[] {
  const names: string[] = [];
  const groups: Group[] = [];
  const kindAt = new Map<number, string>();
  for (const [, spaces = '', kind, list, single, double, template, end] of source.matchAll(LINES)) {
    const indent = spaces.length;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    if (end !== undefined) continue;
    if (kind !== undefined) kindAt.set(indent, kind);
    const title = single ?? double ?? template;
    if (title === undefined) continue;
    const plain = title.replaceAll(/\\(['"`\\])/g, '$1').replace(CITED_IDS, '');
    if ((list === undefined ? kind : kindAt.get(indent)) === 'describe') {
      groups.push({ indent, title: plain });
    } else {
      names.push([...groups.map((group) => group.title), plain].join(' › '));
    }
  }
  return names;
}

/** Returns the hash with which documents cite a test of a file: `a gate › isn't open` is `a-gate-isn-t-open`. */
export function anchorOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
