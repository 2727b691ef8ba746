import * as z from 'zod';
import { ControlFailure } from '../../control/client/control-failure.js';
import { sandboxTool } from '../frame/sandbox-tool.js';

/** Characters of a page that one call returns. */
const PART_CHARACTERS = 30_000;

const hit = z.looseObject({
  page: z.string().describe('Name for read_docs.'),
  heading: z.string(),
  excerpt: z.string(),
});

const listDocs = sandboxTool({
  name: 'list_docs',
  title: 'List the documentation',
  description: 'Returns /llms.txt: all pages of the documentation, each with one sentence about it.',
  effect: 'reads',
  input: z.object({}),
  output: z.object({ markdown: z.string(), note: z.string().optional() }),
  text: ({ markdown }) => markdown,
  run: async (_, sandbox) => ({ markdown: await sandbox.page('/llms.txt') }),
});

const readDocs = sandboxTool({
  name: 'read_docs',
  title: 'Read a page of the documentation',
  description: `Returns a page as Markdown, ${PART_CHARACTERS} characters at a time. A longer page returns nextOffset.`,
  effect: 'reads',
  input: z.object({
    page: z
      .string()
      .regex(/^[a-z0-9-]{1,80}$/, 'must be the name of a page, such as widget')
      .describe('Name of the page: widget for /docs/widget.md.'),
    offset: z.int().min(0).default(0).describe('Character to begin with.'),
  }),
  output: z.object({
    page: z.string(),
    markdown: z.string(),
    nextOffset: z.int().nullable().describe('Offset of the next part. Null at the end.'),
    note: z.string().optional(),
  }),
  ifUnknown: 'Call list_docs or search_docs for the names of the pages.',
  text: ({ markdown, nextOffset }) =>
    nextOffset === null ? markdown : `${markdown}\n\n[More from offset ${nextOffset}.]`,
  async run({ page, offset }, sandbox) {
    const text = await sandbox.page(`/docs/${page}.md`);
    const end = offset + PART_CHARACTERS;
    return { page, markdown: text.slice(offset, end), nextOffset: end < text.length ? end : null };
  },
});

const searchDocs = sandboxTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description: 'Returns the sections of the documentation that match some words, best first.',
  effect: 'reads',
  input: z.object({ query: z.string().trim().min(1).max(200).describe('A few words.') }),
  output: z.object({ hits: z.array(hit), note: z.string().optional() }),
  async run({ query }, sandbox) {
    const text = await sandbox.page(`/docs/search.json?q=${encodeURIComponent(query)}`);
    return { hits: hitsOf(text) };
  },
});

/** Tools of the documentation. */
export const docsTools = [listDocs, readDocs, searchDocs];

function hitsOf(text: string): z.input<typeof hit>[] {
  try {
    return z.object({ hits: z.array(hit) }).parse(JSON.parse(text)).hits;
  } catch (error) {
    const message = 'The sandbox has no search of this kind. Start the sandbox of this version.';
    throw new ControlFailure('not_a_sandbox', message, { cause: error });
  }
}
