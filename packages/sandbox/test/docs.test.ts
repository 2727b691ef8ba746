import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { docsLibrary } from '../src/docs/docs-library.js';
import { DOCS_PAGES, docsHref, SKILLS } from '../src/docs/docs-pages.js';
import { renderMarkdown } from '../src/docs/render-markdown.js';
import { it as itWithSandbox } from './sandbox-under-test.js';

const ROOT = new URL('../../../', import.meta.url).pathname;
/** Markdown that is written for programs. */
const NO_PAGES = [
  '.changeset/**',
  // Instructions for coding assistants: scripts/test/skills.test.ts.
  'packages/*/SKILL.md',
  'packages/server/assets/**',
  // `npm run bench` makes docs/performance.md of it.
  'scripts/bench/page-template.md',
  // Playwright writes a page about each failed test.
  'test-results/**',
  '**/node_modules/**',
  '**/dist/**',
];

describe('the table of pages', () => {
  it('names every Markdown file of the repository', () => {
    const files = globSync('**/*.md', { cwd: ROOT, exclude: NO_PAGES });
    expect(files.length).toBeGreaterThan(20);
    expect(DOCS_PAGES.map(({ file }) => file).sort()).toEqual(files.sort());
  });

  it('contains the files as they are in the repository', () => {
    for (const page of DOCS_PAGES) {
      expect(docsLibrary.markdown(page)).toBe(readFileSync(`${ROOT}${page.file}`, 'utf8'));
    }
  });
});

describe.each(DOCS_PAGES.map((page) => [page.slug, page] as const))('the page %s', (_slug, page) => {
  const $ = load(docsLibrary.rendered(page).html);

  it('has one h1, unique ids, and code that the keyboard can scroll', () => {
    expect($('h1')).toHaveLength(1);
    const ids = $('[id]')
      .toArray()
      .map((element) => $(element).attr('id'));
    expect(new Set(ids).size).toBe(ids.length);
    for (const code of $('pre').toArray()) expect($(code).parent().attr('tabindex')).toBe('0');
  });

  it('links to pages and headings that exist', () => {
    const links = $('a')
      .toArray()
      .map((element) => $(element).attr('href') ?? '');
    const missing = links.filter(
      (href) => (href.startsWith('/docs') || href.startsWith('#')) && !leadsSomewhere(href),
    );
    expect(missing).toEqual([]);
    for (const href of links) expect(href).toMatch(/^(https?:|mailto:|#|\/docs)/);
  });

  function leadsSomewhere(href: string): boolean {
    const [path = '', hash] = href.split('#');
    const target = path === '' ? page : DOCS_PAGES.find((each) => docsHref(each) === path);
    if (target === undefined) return false;
    return hash === undefined || docsLibrary.rendered(target).headings.some(({ id }) => id === hash);
  }
});

describe('Markdown', () => {
  it('shows HTML as text', () => {
    const { html } = renderMarkdown(
      '# A <b>b</b>\n\n<script>alert(1)</script>\n\n[x](<javascript:alert(1)>)',
      'README.md',
    );
    const $ = load(html);
    expect($('script, b')).toHaveLength(0);
    expect($.text()).toContain('<script>alert(1)</script>');
    expect($('a[href^="javascript:"]')).toHaveLength(0);
  });

  it('leads from files to pages, and from other files to the repository', () => {
    const { html } = renderMarkdown(
      '[a](packages/widget/README.md#on-a-page) [b](examples/express/) [c](LICENSE) [d](#here)',
      'README.md',
    );
    const $ = load(html);
    expect(
      $('a')
        .toArray()
        .map((element) => $(element).attr('href')),
    ).toEqual([
      '/docs/widget#on-a-page',
      '/docs/example-express',
      'https://github.com/latchkey/latchkey/blob/main/LICENSE',
      '#here',
    ]);
  });

  it('names a code block by its file, or by its language', () => {
    const block = (info: string) => `~~~${info}\nx\n~~~\n`;
    const { html } = renderMarkdown(
      `# A\n${block('tsx app/page.tsx')}${block('js last line of a.mjs')}${block('ts')}${block('')}`,
      'README.md',
    );
    const $ = load(html);
    const labels = $('.code-label').map((_, label) => $(label).text());
    expect(labels.get()).toEqual(['app/page.tsx', 'last line of a.mjs', 'TypeScript', 'Code']);
  });

  it('numbers headings with the same text', () => {
    const { headings } = renderMarkdown('# A\n## B `c`!\n## B c', 'README.md');
    expect(headings.map(({ id }) => id)).toEqual(['a', 'b-c', 'b-c-1']);
  });
});

describe('the search', () => {
  it('finds a section by its words, also by the start of a word', () => {
    const [first] = docsLibrary.find('popup sign');
    expect(first?.href).toMatch(/^\/docs\//);
    expect(docsLibrary.find('webhook signat').length).toBeGreaterThan(0);
  });

  it('finds nothing for words that are on no page', () => {
    expect(docsLibrary.find('xylophone')).toEqual([]);
    const words = [...'abcdefghij'].map((letter) => `${letter} `.repeat(2)).join('');
    expect(docsLibrary.find(words)).toEqual(docsLibrary.find(`${words} xylophone`));
  });

  it('finds sections with some of the words if none has all', () => {
    const found = docsLibrary.find('webhook xylophone');
    expect(found).not.toEqual([]);
    expect(docsLibrary.find(`webhook ${'webhook '.repeat(10)} xylophone`)).toEqual(found);
    expect(docsLibrary.find('nginx host').length).toBeLessThan(docsLibrary.find('nginx').length);
  });
});

describe('the served documentation', () => {
  itWithSandbox('shows every page, and the same as Markdown', async ({ service }) => {
    for (const page of DOCS_PAGES) {
      const shown = await fetch(`${service.baseUrl}${docsHref(page)}`);
      expect(shown.status).toBe(200);
      const [, main] = (await shown.text()).split('<main');
      expect(main?.match(/<h1[ >]/g)).toHaveLength(1);
      const text = await fetch(`${service.baseUrl}/docs/${page.slug}.md`);
      expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(await text.text()).toBe(docsLibrary.markdown(page));
    }
  });

  itWithSandbox('lists every page in llms.txt', async ({ service }) => {
    const text = await (await fetch(`${service.baseUrl}/llms.txt`)).text();
    for (const { slug } of DOCS_PAGES) expect(text).toContain(`(${service.baseUrl}/docs/${slug}.md)`);
  });

  itWithSandbox('lists the skills for assistants, each with the digest of its text', async ({ service }) => {
    const index = `${service.baseUrl}/.well-known/agent-skills/index.json`;
    const { $schema, skills } = (await (await fetch(index)).json()) as {
      $schema: string;
      skills: Record<'name' | 'type' | 'description' | 'url' | 'digest', string>[];
    };
    expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    expect(skills.map(({ name }) => name)).toEqual(SKILLS.map(({ name }) => name));
    for (const { name, type, description, url, digest } of skills) {
      const response = await fetch(new URL(url, index));
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const text = await response.text();
      expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
      expect(text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`)).toBe(true);
      expect(type).toBe('skill-md');
    }
    expect((await fetch(new URL('/.well-known/agent-skills/no-such/SKILL.md', index))).status).toBe(404);
  });

  itWithSandbox('searches, and shows the query as text', async ({ service }) => {
    const found = await (await fetch(`${service.baseUrl}/docs/search?q=gate`)).text();
    expect(load(found)('.docs-hits a').length).toBeGreaterThan(3);
    const hostile = await (
      await fetch(`${service.baseUrl}/docs/search?q=${encodeURIComponent('"><img src=x>')}`)
    ).text();
    expect(load(hostile)('main img')).toHaveLength(0);
  });

  itWithSandbox('has an image, and 404 for other files', async ({ service }) => {
    const image = await fetch(`${service.baseUrl}/docs/images/shop.png`);
    expect(image.headers.get('content-type')).toBe('image/png');
    for (const path of [
      '/docs/nothing',
      '/docs/nothing.md',
      '/docs/images/..%2f..%2fREADME.md',
      '/docs/images/',
    ]) {
      expect((await fetch(`${service.baseUrl}${path}`)).status).toBe(404);
    }
  });
});
