import type { TeaserDetails, ViewSession } from '@latchkey/express';
import type { Note } from './notes.ts';

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#faf8f3, #17150f); --ink: light-dark(#211d16, #f0ebdf);
  --soft: light-dark(#675f50, #b5ac9b); --accent: light-dark(#8a3d12, #f0a36f); --on-accent: light-dark(#fff, #23120a); }
body { max-width: 38rem; margin: 0 auto; padding: 1.25rem; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.65 Charter, Georgia, serif; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding-bottom: 1.25rem; color: var(--soft); }
header a:first-child { margin-right: auto; color: var(--ink); font-weight: bold; text-decoration: none; }
h1 { font-size: 1.9rem; line-height: 1.2; text-wrap: balance; }
h2 { margin-bottom: 0; font-size: 1.2rem; }
h2 + p { margin-top: .25rem; }
a { color: var(--accent); }
form { display: inline; }
.ways { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-top: 2rem; }
.ways a, button { padding: .6rem 1.1rem; border: 1px solid var(--accent); border-radius: .4rem; font: inherit; cursor: pointer;
  text-decoration: none; background: none; color: var(--accent); overflow-wrap: anywhere; }
.ways .main { background: var(--accent); color: var(--on-accent); }
.soft { color: var(--soft); overflow-wrap: anywhere; }
`;

function page(title: string, body: string, header = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Roasting Notes</title>
<style>${STYLE}</style></head><body><header><a href="/">Roasting Notes</a>${header}</header><main>${body}</main></body></html>`;
}

export function homePage(home: {
  view: ViewSession | undefined;
  notes: readonly Note[];
  mayRead: boolean;
}): string {
  const { view, notes, mayRead } = home;
  const header = view?.signedIn
    ? `<span class="soft">${escapeHtml(view.user?.email ?? 'Signed in')}</span>
       <form method="post" action="${view.signOutPath}"><button>Sign out</button></form>`
    : `<a href="${escapeHtml(view?.signInUrl ?? '/auth/login')}">Sign in</a>`;
  const list = notes.map(
    ({ name, title, opening }) => `<h2><a href="/notes/${name}">${title}</a></h2><p>${opening}</p>`,
  );
  // During an outage the visitor may be a member, so no membership is offered.
  const offer =
    mayRead || view?.membershipsKnown === false
      ? ''
      : '<p class="ways"><a class="main" href="/join">Become a member</a></p>';
  return page('Home', `<h1>Roasting notes, week by week</h1>${list.join('')}${offer}`, header);
}

export function notePage(note: Note | undefined): string {
  return page(
    note?.title ?? '',
    `${paywallMarkup(note)}<h1>${note?.title}</h1><p>${note?.opening}</p><p class="members-only">${note?.rest}</p>`,
  );
}

/** Tells search engines that a part of the page is paid for. Without it, a preview can count as cloaking. */
function paywallMarkup(note: Note | undefined): string {
  const article = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: note?.title,
    isAccessibleForFree: false,
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.members-only' },
  };
  // A "<" would end the script.
  return `<script type="application/ld+json">${JSON.stringify(article).replaceAll('<', '\\u003c')}</script>`;
}

export function teaserPage(
  teaser: { note: Note | undefined } & Pick<TeaserDetails, 'signInUrl' | 'upgradeUrl' | 'user'>,
): string {
  const { note, signInUrl, upgradeUrl, user } = teaser;
  const signIn = user
    ? `<span class="soft">Signed in as ${escapeHtml(user.email ?? 'a visitor')}</span>`
    : `<a href="${escapeHtml(signInUrl)}">Sign in</a>`;
  return page(
    note?.title ?? '',
    `${paywallMarkup(note)}<h1>${note?.title}</h1><p>${note?.opening}</p><p class="soft">Members can read on.</p>
     <p class="ways"><a class="main" href="${escapeHtml(upgradeUrl ?? '/')}">Become a member</a>${signIn}</p>`,
  );
}

interface Offer {
  user: { email: string | null };
  plan: { id: string; price: string; term: string };
  /** Path to open after the payment. */
  returnTo: string;
}

export function joinPage({ user, plan, returnTo }: Offer): string {
  return page(
    'Become a member',
    `<h1>${plan.price} ${plan.term}</h1><p>Every note, and a seat at the table. Cancel at any time.</p>
     <form method="post" action="/auth/checkout" class="ways">
     <input type="hidden" name="plan" value="${escapeHtml(plan.id)}"><input type="hidden" name="returnTo" value="${returnTo}">
     <button class="main">Go to checkout</button>
     <span class="soft">for ${escapeHtml(user.email ?? 'your account')}</span></form>`,
  );
}

export function welcomePage(notes: readonly Note[]): string {
  const list = notes.map(({ name, title }) => `<li><a href="/notes/${name}">${title}</a></li>`);
  return page(
    'Welcome',
    `<h1>Welcome to the table</h1><p>You can now read every note:</p><ul>${list.join('')}</ul>`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
