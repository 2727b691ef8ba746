import { UUID } from '@latchkey/contract/constants';
import { isLoopbackHost } from '../command-line/values.js';
import type { FindingCode } from './findings.js';
import { allowsInlineStyle, resolve, type WidgetElement } from './read-page.js';
import type { SiteTarget } from './site-target.js';

/** The check reports clocks that differ by more than this, in milliseconds. */
const CLOCK_LIMIT_MS = 60_000;
/** Attributes that the first element of a session decides. */
const SESSION_ATTRIBUTES = ['storage', 'mode', 'return-url', 'callback-url'] as const;
/** Conditions that need the site's own directory. */
const DIRECTORY_CONDITIONS = ['community', 'product', 'plan'] as const;

interface PageMistake {
  readonly code: FindingCode;
  readonly action: string;
  /** Returns a sentence for each place where the page makes the mistake. */
  find(target: SiteTarget): readonly string[];
}

const hasPopup = ({ sessions }: SiteTarget) => sessions.some(({ mode }) => mode === 'popup');

const PAGE_MISTAKES: readonly PageMistake[] = [
  {
    code: 'insecure-page',
    action: 'Serve the site over https, and redirect http to it.',
    find({ page: { url, elements } }) {
      if (url.protocol === 'https:' || isLoopbackHost(url.hostname) || elements.length === 0) return [];
      return [
        'The page uses plain http, where browsers disable Web Crypto. Sign-in works on secure (https) pages only.',
      ];
    },
  },
  {
    code: 'mixed-content',
    action: 'Use an https address, in the script tag and in service-url.',
    find({ page: { url, scripts }, sessions }) {
      if (url.protocol !== 'https:') return [];
      const addresses = [
        ...scripts.flatMap((script) => script.url ?? []),
        ...sessions.flatMap(({ service }) => (service === undefined ? [] : [new URL(service)])),
      ];
      // Browsers trust http on loopback addresses.
      const blocked = addresses.filter((each) => each.protocol === 'http:' && !isLoopbackHost(each.hostname));
      return [...new Set(blocked.map(({ href }) => href))].map(
        (href) => `The page uses https, but loads ${href} over http. Browsers block it.`,
      );
    },
  },
  {
    // The policy that severs popups, recognized like in the widget.
    code: 'coop-severs-popup',
    action:
      'Send Cross-Origin-Opener-Policy: same-origin-allow-popups on pages with the widget, or use the attribute mode="redirect".',
    find(target) {
      const policy = target.page.headers.get('cross-origin-opener-policy') ?? '';
      if (!/^same-origin(?!-allow)/.test(policy) || !hasPopup(target)) return [];
      return [
        `The header Cross-Origin-Opener-Policy: ${policy} severs the sign-in window from the page. The window cannot answer.`,
      ];
    },
  },
  {
    code: 'csp-sandbox',
    action: 'Add what is missing to sandbox, or remove the directive.',
    find(target) {
      const { policies, elements } = target.page;
      const needed = ['allow-scripts', 'allow-same-origin', ...(hasPopup(target) ? ['allow-popups'] : [])];
      return policies.flatMap((policy) => {
        const allowed = policy.get('sandbox');
        const missing = allowed === undefined ? [] : needed.filter((token) => !allowed.includes(token));
        if (missing.length === 0 || elements.length === 0) return [];
        return [`Content-Security-Policy: the directive sandbox does not contain ${missing.join(', ')}.`];
      });
    },
  },
  {
    code: 'csp-script-src',
    action: 'Add lit-html to trusted-types.',
    find({ page: { policies, elements } }) {
      const allows = (names: readonly string[] = ['*']) => names.includes('lit-html') || names.includes('*');
      if (elements.length === 0 || policies.every((each) => allows(each.get('trusted-types')))) return [];
      return [
        'Content-Security-Policy: trusted-types does not contain lit-html, so the widget does not start.',
      ];
    },
  },
  {
    // The widget itself only has constructed style sheets. The style in the page that hides gates needs `style-src`.
    code: 'csp-style-src',
    action:
      'Move the style to a file of your site, or add its hash or nonce to style-src. The widget itself needs no style-src.',
    find({ page: { policies, styles } }) {
      const own = styles.filter(({ text }) => /latchkey-(?:gate|plans|login)/.test(text));
      if (!own.some(({ nonce }) => policies.some((policy) => !allowsInlineStyle(policy, nonce)))) return [];
      return [
        'Content-Security-Policy: style-src blocks the inline style that hides gates until the script runs. Their content appears for a moment.',
      ];
    },
  },
  {
    code: 'referrer-policy',
    action: 'Send Referrer-Policy: strict-origin-when-cross-origin.',
    find({ page: { headers } }) {
      const sent = (headers.get('referrer-policy') ?? '').split(',').at(-1)?.trim().toLowerCase();
      if (sent !== 'unsafe-url') return [];
      return [
        'The header Referrer-Policy: unsafe-url sends the full address of the page to every other site. After a sign-in without a popup, it contains the code.',
      ];
    },
  },
  {
    code: 'page-framable',
    action: "Send Content-Security-Policy: frame-ancestors 'none', or X-Frame-Options: DENY.",
    find({ page: { headers, policies, elements } }) {
      const sells = elements.some(({ name }) => name === 'latchkey-plans' || name === 'latchkey-join');
      const isLimited =
        /^\s*(?:deny|sameorigin)\s*$/i.test(headers.get('x-frame-options') ?? '') ||
        policies.some((policy) => policy.has('frame-ancestors'));
      if (!sells || isLimited) return [];
      return [
        'Other sites can show this page in a frame, and mislead visitors to click its buttons that buy.',
      ];
    },
  },
  {
    code: 'clock-skew',
    action: 'Synchronize the clocks of both machines (NTP).',
    find({ answer: { headers, sentAt, receivedAt } }) {
      const date = Date.parse(headers.get('date') ?? '');
      // The header has no fraction of a second.
      const difference = Math.max(0, date - receivedAt, sentAt - date - 1_000);
      if (Number.isNaN(date) || difference <= CLOCK_LIMIT_MS) return [];
      const direction = date > receivedAt ? 'ahead of' : 'behind';
      return [
        `The clock of the site is ${Math.round(difference / 1000)} s ${direction} that of this machine. Sessions end at the wrong time.`,
      ];
    },
  },
  {
    // Elements with the same client, service and backend share one session.
    code: 'attributes-differ',
    action: 'Give both the same attributes.',
    find({ page: { elements } }) {
      const values = new Map<string, Set<string>>();
      for (const { attributes } of elements) {
        if (attributes['client-id'] === undefined) continue;
        const session = ['client-id', 'service-url', 'backend'].map((name) => attributes[name]).join(' ');
        for (const name of SESSION_ATTRIBUTES) {
          const key = `${session} ${name}`;
          const value = attributes[name];
          if (value !== undefined) values.set(key, (values.get(key) ?? new Set()).add(value));
        }
      }
      const differing = [...values].filter(([, { size }]) => size > 1).map(([key]) => key.split(' ').at(-1));
      return [...new Set(differing)].map(
        (name) =>
          `Elements of one session have different values of ${name}. The widget uses the first one, and ignores the others.`,
      );
    },
  },
];

/** Checks how the page itself is served, and the widget's elements on it. */
export async function pageChecks(target: SiteTarget): Promise<void> {
  for (const { code, action, find } of PAGE_MISTAKES)
    for (const meaning of find(target)) target.report(code, { meaning, action });
  for (const element of target.page.elements) {
    if (element.name !== 'latchkey-gate') continue;
    rule(target, element);
    if (element.hasContent)
      target.report('gate-content-in-page', {
        meaning:
          'The page contains the content of a <latchkey-gate>. The gate hides it but does not protect it: everyone can read the source of the page.',
        action: 'Set src to a URL that requireMembership() guards, if the content is secret.',
      });
    await source(target, element);
  }
}

function rule(target: SiteTarget, { attributes }: WidgetElement): void {
  const ids = DIRECTORY_CONDITIONS.filter((name) => attributes[name] !== undefined);
  const backend = attributes.backend ?? target.sessions.find(({ hasBackend }) => hasBackend)?.backend?.href;
  // The service's ids are UUIDs. A template without its variable writes "undefined".
  const unusable = ids.find((name) => !attributes[name]?.split(/[\s,]+/).some((id) => UUID.test(id)));
  const [condition] = ids;
  if (condition !== undefined && (backend === undefined || unusable !== undefined)) {
    const wrong = unusable ?? condition;
    target.report('gate-without-backend', {
      meaning: `<latchkey-gate>: ${wrong}="${attributes[wrong] ?? ''}" needs an id and a session with a backend.`,
      action: 'Set backend to the path where @latchkey/express is mounted, such as /auth, and name an id.',
    });
  } else if (condition === undefined && !attributes.membership && !attributes.src) {
    target.report('gate-without-rule', {
      meaning: '<latchkey-gate> has no community, product or plan. It opens for members of any seller.',
      action: 'Set community, product or plan to your own ids, and backend.',
    });
  }
}

/** The headers with which a gate requests its content. Opened as a page, the same address can show a preview. */
const GATE_REQUEST = {
  accept: 'application/json, text/html;q=0.9',
  'sec-fetch-dest': 'empty',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'same-origin',
};

/** Requests the content of a gate without a session, as anyone can. */
async function source(target: SiteTarget, { attributes: { src } }: WidgetElement): Promise<void> {
  const url = src === undefined ? undefined : resolve(src, target.page.base);
  if (url === undefined) return;
  const missing = (meaning: string, action: string) =>
    target.report('gate-content-missing', { where: url.href, meaning, action });
  const { origin } = target.page.url;
  if (url.origin !== origin)
    return missing(
      'src of <latchkey-gate> belongs to another origin. The gate does not request it.',
      `Use an address of ${origin}.`,
    );
  const probe = await target.get(url, GATE_REQUEST);
  if (probe.kind === 'failed')
    return missing(
      `The content of <latchkey-gate> cannot be loaded: ${probe.reason}.`,
      'Check the attribute src.',
    );
  const { status, text } = probe.answer;
  if (status >= 200 && status < 300) {
    // A single-page app answers every address with its page.
    if (/<latchkey-gate\b/i.test(text))
      return missing(
        'src of <latchkey-gate> leads to a page with a gate, and not to its content.',
        'Correct the attribute src, or add the route, before the fallback of a single-page app.',
      );
    return target.report('gate-content-public', {
      where: url.href,
      meaning:
        'Everyone can read the content of this <latchkey-gate>: its address answers without a session.',
      action: 'Guard the route with auth.requireMembership(), before any static files or caches.',
    });
  }
  if (status === 404 || status === 405 || status >= 500)
    return missing(
      `The content of <latchkey-gate> answers with status ${status}.`,
      'Check the attribute src and the route.',
    );
}
