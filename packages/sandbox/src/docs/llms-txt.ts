import { DOCS_GROUPS, DOCS_PATH } from './docs-pages.js';

/** Returns `/llms.txt`: a list of all pages as Markdown, for programs that read documentation (llmstxt.org). */
export function llmsTxt(baseUrl: string): string {
  const groups = DOCS_GROUPS.map(({ label, pages }) =>
    [
      `## ${label}`,
      '',
      ...pages.map(
        ({ slug, label: name, about }) => `- [${name}](${baseUrl}${DOCS_PATH}/${slug}.md): ${about}`,
      ),
    ].join('\n'),
  );
  return [
    '# Latchkey',
    '> Sign-in, gates, checkout and webhooks for a membership service: a login widget, an Express kit, an API client, and a sandbox to test them against.',
    `The sandbox at ${baseUrl} stands in for the live service. Its API is described at ${baseUrl}/openapi.json.`,
    ...groups,
  ].join('\n\n');
}
