import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { docsUrl, networkFailureOf } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { CommandDefinition } from '../command-line/command.js';
import { UsageError } from '../command-line/command-failure.js';
import { quoted, suggestion } from '../command-line/text.js';
import { toggle } from '../command-line/values.js';

/** Pages with codes as third-level headings: codes of messages, and findings of `latchkey doctor`. */
const PAGES = ['troubleshooting', 'doctor'] as const;

type Entry = ReturnType<typeof entriesOf>[number];

const explainSettings = z.object({
  code: z.string().min(1).exactOptional().meta({
    isArgument: true,
    placeholder: 'code',
    description: 'Code of a message, such as origin_refused.',
  }),
  json: toggle({ description: 'Print JSON.' }),
});

export const explainCommand: CommandDefinition<typeof explainSettings> = {
  name: 'explain',
  summary: 'Explains the code of a message: its cause, and what to change.',
  settings: explainSettings,
  examples: ['latchkey explain origin_refused', 'latchkey explain'],
  notes: 'Without a code, it lists all of them. The entries are those of the page Troubleshooting.',
  async run({ code, json }, { print }) {
    const entries = PAGES.flatMap(entriesOf);
    if (code === undefined) {
      print(json ? JSON.stringify(entries.map((entry) => entry.code)) : listOf(entries));
      return 0;
    }
    // People copy the whole line, in which other words can be codes too. The code is at its end.
    const words = code.toLowerCase().split(/[^a-z0-9_-]+/);
    const named = words.map((word) => entries.find((each) => each.code === word)).findLast(Boolean);
    const entry =
      named ?? (isNetworkCode(code) ? entries.find((each) => each.code === 'network') : undefined);
    if (entry === undefined) {
      const closest = suggestion(
        code,
        entries.map((each) => each.code),
      );
      const hint = closest ? `Did you mean ${closest}?` : '"latchkey explain" lists all codes.';
      throw new UsageError([`Unknown code ${quoted(code)}. ${hint}`]);
    }
    print(json ? JSON.stringify(entry) : `${entry.code} (${entry.group})\n\n${entry.text}\n\n${entry.docs}`);
    return 0;
  },
};

/** True for a code of the system, such as `ECONNREFUSED`, also in the line that contains it. */
function isNetworkCode(text: string): boolean {
  const [code] = /\b[A-Z][A-Z\d_]{3,}\b/.exec(text) ?? [];
  return code !== undefined && networkFailureOf({ code }).advice !== networkFailureOf({}).advice;
}

function listOf(entries: readonly Entry[]): string {
  const groups = [...new Set(entries.map(({ group }) => group))];
  const codesOf = (group: string) =>
    entries.filter((entry) => entry.group === group).map(({ code }) => `  ${code}`);
  return groups.map((group) => [group, ...codesOf(group)].join('\n')).join('\n\n');
}

/** Reads a page of the documentation from the installed sandbox, so it has the same version. */
export function readDocument(page: string): string {
  const sandbox = dirname(createRequire(import.meta.url).resolve('@latchkey/sandbox/package.json'));
  return readFileSync(join(sandbox, 'dist/documents/docs', `${page}.md`), 'utf8');
}

/** Returns the entries of a page by group, the heading above them. Links that only work on the page are gone. */
function entriesOf(page: (typeof PAGES)[number]) {
  return readDocument(page)
    .split(/^## /m)
    .flatMap((part) => {
      const [group = '', ...entries] = part.split(/^### /m);
      return entries.map((entry) => {
        const [, code = '', text = ''] = /^(\S+)\n(.*)$/s.exec(entry) ?? [];
        return {
          code,
          group: /^.*/.exec(group)?.[0] ?? '',
          text: withoutLinks(text.trim(), page),
          docs: docsUrl(page, code),
        };
      });
    });
}

/** Replaces links to entries with the command that shows them, and other links with public URLs. */
function withoutLinks(markdown: string, page: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_whole, label: string, href: string) => {
    const [, code] = /^(?:troubleshooting\.md)?#(.*)$/.exec(href) ?? [];
    return code === label ? code : `${label} (${new URL(href, docsUrl(page))})`;
  });
}
