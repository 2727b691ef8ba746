import { createHash } from 'node:crypto';
import { escapeHtml } from '@latchkey/contract/constants';
import type { Response } from 'express';
import type { Translate } from './language.js';

/** Content of a built-in page: a heading, paragraphs, and links to the next steps. */
export interface PlainPage {
  title: string;
  paragraphs: readonly PlainParagraph[];
  link?: { href: string; label: string } | undefined;
  otherLink?: { href: string; label: string } | undefined;
  /** Button that sends a POST request: the primary action of a page without `link`, otherwise the last action. */
  form?: PlainForm | undefined;
  /** True for a page that may be in a frame. Its links leave the frame. */
  isFramed?: boolean;
}

/** A string; a value to copy, on a separate line and never translated; or the app's own words, in its own language. */
export type PlainParagraph = string | { code: string } | { own: string };

export interface PlainForm {
  action: string;
  label: string;
  /** Hidden fields by name. */
  fields?: Readonly<Record<string, string>>;
  /** Required field for an email address, above the button. */
  email?: { name: string; label: string };
  /** True if the response can redirect to another site, which the page's policy otherwise forbids. */
  leavesSite?: boolean;
}

const STYLE = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1a1f27;--soft:#586171;--line:#e2e6ec;--strong:#848c99;--sunken:#f1f3f6;--accent:#1d4ed8;--accent-strong:#1a45bf;--on-accent:#fff;--shadow:0 1px 2px rgb(16 24 40/.05),0 12px 32px -12px rgb(16 24 40/.14)}
@media (prefers-color-scheme:dark){:root{--ground:#0f1216;--card:#171b21;--ink:#e9ecf1;--soft:#a7b0bf;--line:#2b323c;--strong:#757f8e;--sunken:#212731;--accent:#8ab4ff;--accent-strong:#a6c6ff;--on-accent:#0b1730;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;justify-items:center;align-content:start;padding:clamp(1rem,12vh,8rem) 1rem 1rem;background:var(--ground);color:var(--ink);font:.9375rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{width:100%;max-width:26rem;padding:clamp(1.5rem,6vw,2.25rem);background:var(--card);border:1px solid var(--line);border-radius:.75rem;box-shadow:var(--shadow)}
h1{margin:0 0 .5rem;font-size:1.375rem;font-weight:600;line-height:1.3;letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance}
[dir=rtl] h1{letter-spacing:0}
p{margin:0 0 .5rem;color:var(--soft);overflow-wrap:anywhere;text-wrap:pretty}
code{font:.875rem/1.6 ui-monospace,"Cascadia Code",Menlo,Consolas,monospace;color:var(--ink);unicode-bidi:isolate;user-select:all}
.actions{display:grid;gap:.5rem;margin-top:1.5rem}
a,button{display:flex;align-items:center;justify-content:center;width:100%;min-height:2.75rem;padding:.375rem 1rem;border:1px solid var(--strong);border-radius:.5rem;background:none;color:var(--ink);font:inherit;font-weight:600;line-height:1.35;text-align:center;text-decoration:none;cursor:pointer}
a:hover,button:hover{background:var(--sunken)}
.actions>a:first-child,.actions>:first-child button{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
.actions>a:first-child:hover,.actions>:first-child button:hover{background:var(--accent-strong)}
.actions>form:not(:first-child) button{border-color:transparent;color:var(--soft)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
form{margin:0}
label{display:block;margin-bottom:.75rem;font-weight:600}
input{display:block;width:100%;min-height:2.75rem;margin-top:.375rem;padding:.375rem .75rem;border:1px solid var(--strong);border-radius:.5rem;background:var(--card);color:var(--ink);font:inherit;font-size:1rem}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'`;

/** Sends the page with the status that is already set on the response. Its content security policy forbids scripts. */
export function sendPlainPage(response: Response, { language }: Translate, page: PlainPage): void {
  // Chromium applies `form-action` to a form's redirects too, and the host of the payment page is unknown.
  const formAction = page.form?.leavesSite === true ? '' : "; form-action 'self'";
  const ancestors = page.isFramed === true ? '' : "; frame-ancestors 'none'";
  response.setHeader('Content-Security-Policy', `${CONTENT_SECURITY_POLICY}${ancestors}${formAction}`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.type('html').send(renderPage(page, language));
}

function renderPage(
  { title, paragraphs, link, otherLink, form, isFramed }: PlainPage,
  language: string,
): string {
  const button = form && renderForm(form);
  const actions = [
    link === undefined ? button : `<a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>`,
    otherLink && `<a class="other" href="${escapeHtml(otherLink.href)}">${escapeHtml(otherLink.label)}</a>`,
    link && button,
  ].filter((action) => action !== undefined);
  return `<!doctype html>
<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>${isFramed === true ? '\n<base target="_top">' : ''}
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p>${renderParagraph(paragraph)}</p>`).join('\n')}
${actions.length > 0 ? `<div class="actions">${actions.join('')}</div>` : ''}
</main>
</body>
</html>
`;
}

/** Email addresses and prices: they keep their direction inside text of the other direction. */
const ISOLATED = /[^\s@]+@[^\s@]*[^\s@.,:;]|[\p{Sc}]\s?\d[\d.,]*\d?|\d[\d.,]*\s?\p{Sc}/gu;

function renderParagraph(paragraph: PlainParagraph): string {
  if (typeof paragraph !== 'string') {
    return 'own' in paragraph
      ? `<bdi lang="">${isolated(paragraph.own)}</bdi>`
      : `<code translate="no">${escapeHtml(paragraph.code)}</code>`;
  }
  return isolated(paragraph);
}

function isolated(text: string): string {
  let rendered = '';
  let end = 0;
  for (const { 0: value, index } of text.matchAll(ISOLATED)) {
    rendered += `${escapeHtml(text.slice(end, index))}<bdi>${escapeHtml(value)}</bdi>`;
    end = index + value.length;
  }
  return rendered + escapeHtml(text.slice(end));
}

function renderForm({ action, label, fields = {}, email }: PlainForm): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const input =
    email &&
    `<label>${escapeHtml(email.label)}<input type="email" name="${escapeHtml(email.name)}" autocomplete="email" required></label>`;
  return `<form method="post" action="${escapeHtml(action)}">${hidden.join('')}${input ?? ''}<button>${escapeHtml(label)}</button></form>`;
}
