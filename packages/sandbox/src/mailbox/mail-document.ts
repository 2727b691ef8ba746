import type { MailMessage } from '@latchkey/server';
import { MAIL_DARK_QUERY } from '@latchkey/server/extension';

/** What a message's HTML may do in its frame. */
export const MAIL_SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/**
 * Content security policy for a message's HTML. It runs no script, sends no form, and loads nothing at all: a request
 * to the sandbox's own pages would have the reader's cookies. The page around it may read its height
 * (`allow-same-origin`), which is safe only without `allow-scripts`. Links open in new tabs.
 */
export const MAIL_DOCUMENT_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  `sandbox ${MAIL_SANDBOX}`,
].join('; ');

/** Returns a message's HTML as an email program with this colour scheme shows it. Its images are part of the document. */
export function mailDocument({ html = '', images = [] }: MailMessage, scheme: 'light' | 'dark'): string {
  const withImages = images.reduce(
    (text, { contentId, contentType, base64 }) =>
      text.replaceAll(`src="cid:${contentId}"`, `src="data:${contentType};base64,${base64}"`),
    html,
  );
  return withImages
    .replaceAll(MAIL_DARK_QUERY, scheme === 'dark' ? '@media all' : '@media not all')
    .replaceAll('content="light dark"', `content="${scheme}"`)
    .replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`)
    .replace('<head>', '<head><base target="_blank">');
}
