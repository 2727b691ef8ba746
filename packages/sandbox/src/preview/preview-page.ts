import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
  ELEMENTS,
  type ElementAttributes,
  elementMarkup,
  elementsField,
  themeField,
} from '../integration/element-markup.js';
import { sandboxScenario } from '../scenario/sandbox-scenario.js';

/** Settings of the preview's page, as JSON in its URL. */
export const previewSettings = z.strictObject({
  elements: elementsField.default({}),
  theme: themeField.default({}),
  scheme: z.enum(['light', 'dark']).default('light'),
  dir: z.enum(['ltr', 'rtl']).default('ltr'),
});

export type PreviewSettings = z.output<typeof previewSettings>;

export const PREVIEW_PATH = '/sandbox/preview';

export const SAMPLE_SITE_PATH = '/sandbox/site';

export interface PreviewPage {
  readonly html: string;
  readonly policy: string;
}

/** Returns the preview's page and its policy. It runs only the service's own script. */
export function previewPage({ elements, theme, scheme, dir }: PreviewSettings): PreviewPage {
  const clientId = clientIdOf(elements);
  const markups = ELEMENTS.flatMap((name) => {
    const attributes = elements[name];
    if (attributes === undefined) return [];
    return [`<section>${elementMarkup(name, ownAddresses(attributes, clientId), { indent: '' })}</section>`];
  });
  const properties = Object.entries(theme).map(([name, value]) => `${name}: ${value};`);
  return pageOf({
    title: 'Preview',
    root: `dir="${dir}"`,
    style: `:root { color-scheme: ${scheme}; ${properties.join(' ')} }`,
    body: markups.join('\n'),
  });
}

const { community, publicClient } = sandboxScenario;

/** Returns the sample site: a page with a sign-in, a part for members, and the way back to the sandbox. */
export function sampleSitePage(): PreviewPage {
  const backend = `${PREVIEW_PATH}/${publicClient.clientId}`;
  return pageOf({
    title: 'Sample site',
    root: '',
    style: `:root { color-scheme: light dark; background: Canvas; }
body { max-inline-size: 40rem; margin: 2rem auto; padding-inline: 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; }
main { display: grid; gap: 1rem; }
h1, p { margin: 0; }`,
    body: `<header>
<h1>Sample site</h1>
<latchkey-login client-id="${publicClient.clientId}" backend="${backend}"></latchkey-login>
</header>
<main>
<p>This stands for your site. Sign in as Ada, who is a member, or as Ben, who isn’t.</p>
<latchkey-gate backend="${backend}" community="${community.id}">
<p><strong>You are a member.</strong> This part is for members of ${escapeText(community.name)}.</p>
<p slot="locked">This part is for members. <a href="/communities/${community.id}">Join</a></p>
</latchkey-gate>
<p><a href="/sandbox">Back to the sandbox</a></p>
</main>`,
  });
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

interface PageParts {
  readonly title: string;
  readonly root: string;
  readonly style: string;
  readonly body: string;
}

/** Returns a page that runs only the service's own script. */
function pageOf({ title, root, style, body }: PageParts): PreviewPage {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en" ${root}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style nonce="${nonce}">
body { display: grid; gap: 1.5rem; margin: 1.25rem; font: 1rem/1.5 system-ui, sans-serif; }
section { min-inline-size: 0; }
latchkey-gate:not(:defined) { display: none; }
${style}
</style>
<script src="/widget/latchkey.js" defer></script>
<script src="/widget/latchkey-plans.js" defer></script>
<body>
${body}
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return { html, policy };
}

function clientIdOf(elements: PreviewSettings['elements']): string {
  const ids = Object.values(elements).map((attributes) => String(attributes?.['client-id'] ?? ''));
  return ids.find((id) => /^oac_[0-9a-f]{24}$/.test(id)) ?? 'none';
}

/** Returns the attributes with the page's own backend in every URL: the page allows no other. */
function ownAddresses(attributes: ElementAttributes, clientId: string): ElementAttributes {
  const backend = `${PREVIEW_PATH}/${clientId}`;
  const own = new Map([
    ['backend', backend],
    ['src', `${backend}/content`],
  ]);
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => name !== 'service-url' && name !== 'callback-url')
      .map(([name, value]) => [name, own.get(name) ?? value]),
  );
}
