import { isLoopbackHost } from '../command-line/service-values.js';
import { allowsInlineStyle } from './content-policy.js';
import type { SiteTarget } from './site-target.js';

/** Difference of clocks, in milliseconds, above which the check reports it. */
const CLOCK_LIMIT_MS = 60_000;
const MODE = 'the attribute mode="redirect"';

/** Examines how the page itself is sent: its scheme, its headers and its clock. */
export function pageChecks(target: SiteTarget): void {
  insecurePage(target);
  mixedContent(target);
  openerPolicy(target);
  sandboxPolicy(target);
  stylePolicy(target);
  referrerPolicy(target);
  framing(target);
  clock(target);
}

const hasPopup = ({ sessions }: SiteTarget) => sessions.some(({ mode }) => mode === 'popup');

function insecurePage(target: SiteTarget): void {
  const { url, elements } = target.page;
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname) || elements.length === 0) return;
  target.report('insecure-page', {
    meaning:
      'The page uses plain http, where browsers disable Web Crypto. Sign-in works on secure (https) pages only.',
    action: 'Serve the site over https, and redirect http to it.',
  });
}

function mixedContent(target: SiteTarget): void {
  const { url, scripts } = target.page;
  if (url.protocol !== 'https:') return;
  const addresses = [
    ...scripts.flatMap((script) => (script.url === undefined ? [] : [script.url])),
    ...target.sessions.flatMap(({ service }) => (service === undefined ? [] : [new URL(service)])),
  ];
  // Browsers trust http on loopback addresses.
  const blocked = addresses.filter(
    ({ protocol, hostname }) => protocol === 'http:' && !isLoopbackHost(hostname),
  );
  for (const href of new Set(blocked.map((url) => url.href))) {
    target.report('mixed-content', {
      meaning: `The page uses https, but loads ${href} over http. Browsers block it.`,
      action: 'Use an https address, in the script tag and in service-url.',
    });
  }
}

/** The policy that severs popups, as the widget recognizes it. */
function openerPolicy(target: SiteTarget): void {
  const policy = target.page.headers.get('cross-origin-opener-policy') ?? '';
  if (!/^same-origin(?!-allow)/.test(policy) || !hasPopup(target)) return;
  target.report('coop-severs-popup', {
    meaning: `The header Cross-Origin-Opener-Policy: ${policy} severs the sign-in window from the page. The window cannot answer.`,
    action: `Send Cross-Origin-Opener-Policy: same-origin-allow-popups on pages with the widget, or use ${MODE}.`,
  });
}

function sandboxPolicy(target: SiteTarget): void {
  const { policies, elements } = target.page;
  const needed = ['allow-scripts', 'allow-same-origin', ...(hasPopup(target) ? ['allow-popups'] : [])];
  for (const policy of policies) {
    const allowed = policy.get('sandbox');
    const missing = allowed === undefined ? [] : needed.filter((token) => !allowed.includes(token));
    if (missing.length === 0 || elements.length === 0) continue;
    target.report('csp-sandbox', {
      meaning: `Content-Security-Policy: the directive sandbox does not contain ${missing.join(', ')}.`,
      action: `Add ${missing.join(' ')} to sandbox, or remove the directive.`,
    });
  }
}

/** The widget needs no style-src: it has constructed style sheets only. The style of the page that hides gates does. */
function stylePolicy(target: SiteTarget): void {
  const { policies, styles } = target.page;
  const own = styles.filter(({ text }) => /latchkey-(?:gate|plans|login)/.test(text));
  const isBlocked = own.some(({ nonce }) => policies.some((policy) => !allowsInlineStyle(policy, nonce)));
  if (!isBlocked) return;
  target.report('csp-style-src', {
    meaning:
      'Content-Security-Policy: style-src blocks the inline style that hides gates until the script runs. Their content appears for a moment.',
    action:
      'Move the style to a file of your site, or add its hash or nonce to style-src. The widget itself needs no style-src.',
  });
}

function referrerPolicy(target: SiteTarget): void {
  const sent = (target.page.headers.get('referrer-policy') ?? '').split(',').map((policy) => policy.trim());
  if (sent.at(-1)?.toLowerCase() !== 'unsafe-url') return;
  target.report('referrer-policy', {
    meaning:
      'The header Referrer-Policy: unsafe-url sends the full address of the page to every other site. After a sign-in without a popup, it contains the code.',
    action: 'Send Referrer-Policy: strict-origin-when-cross-origin.',
  });
}

function framing(target: SiteTarget): void {
  const { headers, policies, elements } = target.page;
  const sells = elements.some(({ name }) => name === 'latchkey-plans' || name === 'latchkey-join');
  const isLimited =
    /^\s*(?:deny|sameorigin)\s*$/i.test(headers.get('x-frame-options') ?? '') ||
    policies.some((policy) => policy.has('frame-ancestors'));
  if (!sells || isLimited) return;
  target.report('page-framable', {
    meaning: 'Other sites can show this page in a frame, and mislead visitors to click its buttons that buy.',
    action: "Send Content-Security-Policy: frame-ancestors 'none', or X-Frame-Options: DENY.",
  });
}

function clock(target: SiteTarget): void {
  const { headers, sentAt, receivedAt } = target.answer;
  const date = Date.parse(headers.get('date') ?? '');
  // The header has no fraction of a second.
  const difference = Math.max(0, date - receivedAt, sentAt - date - 1_000);
  if (Number.isNaN(date) || difference <= CLOCK_LIMIT_MS) return;
  target.report('clock-skew', {
    meaning: `The clock of the site is ${Math.round(difference / 1000)} s ${date > receivedAt ? 'ahead of' : 'behind'} that of this machine. Sessions end at the wrong time.`,
    action: 'Synchronize the clocks of both machines (NTP).',
  });
}
