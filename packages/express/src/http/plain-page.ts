import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** Content of a built-in page: a heading, paragraphs, and links to the next steps. */
export interface PlainPage {
  title: string;
  paragraphs: readonly string[];
  /** Primary action. */
  link?: { href: string; label: string } | undefined;
  /** Secondary action. */
  otherLink?: { href: string; label: string } | undefined;
  /** Last action: a button that sends a POST request. */
  form?: PlainForm | undefined;
}

/** Form of a built-in page. */
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
:root{color-scheme:light dark;--ground:#f4f3f0;--card:#fff;--ink:#1d1c1a;--soft:#5d5a54;--line:#dedbd4;--accent:#1f4fd8;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#161513;--card:#201f1c;--ink:#f2f0ea;--soft:#b3afa6;--line:#3a3833;--accent:#9db8ff;--on-accent:#0d1530}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--ground);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:30rem;padding:clamp(1.5rem,6vw,2.75rem);background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;text-wrap:balance}
p{margin:0 0 .75rem;color:var(--soft);overflow-wrap:anywhere;text-wrap:pretty}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.75rem}
a,button{display:inline-flex;align-items:center;min-height:2.75rem;padding:.5rem 1.25rem;border:1px solid var(--accent);border-radius:.6rem;font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
a{background:var(--accent);color:var(--on-accent)}
button,.other{background:transparent;color:var(--accent)}
a:hover,button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
form{margin:0}
label{display:block;margin-bottom:1rem;font-weight:600}
input{display:block;width:100%;min-height:2.75rem;margin-top:.35rem;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:.6rem;background:var(--ground);color:var(--ink);font:inherit}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`;

/** Sends the page with the status that is set on the response. Its content security policy forbids scripts. */
export function sendPlainPage(response: Response, page: PlainPage): void {
  // Chromium applies form-action to the redirects of a form too, and the host of a payment page is unknown.
  const formAction = page.form?.leavesSite === true ? '' : "; form-action 'self'";
  response.setHeader('Content-Security-Policy', `${CONTENT_SECURITY_POLICY}${formAction}`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.type('html').send(renderPage(page));
}

function renderPage({ title, paragraphs, link, otherLink, form }: PlainPage): string {
  const actions = [
    link && `<a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a>`,
    otherLink && `<a class="other" href="${escapeHtml(otherLink.href)}">${escapeHtml(otherLink.label)}</a>`,
    form && renderForm(form),
  ].filter((action) => action !== undefined);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${actions.length > 0 ? `<div class="actions">${actions.join('')}</div>` : ''}
</main>
</body>
</html>
`;
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

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
