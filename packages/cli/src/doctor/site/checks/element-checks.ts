import type { Finding } from '../findings/finding.js';
import { resolve, type WidgetElement } from '../page/read-page.js';
import type { SiteTarget } from '../target/site-target.js';

/** Attributes that the first element of a session sets. */
const SESSION_ATTRIBUTES = ['storage', 'mode', 'return-url', 'callback-url'] as const;
/** Conditions that need the site's own directory. */
const DIRECTORY_CONDITIONS = ['community', 'product', 'plan'] as const;

/** Examines the elements of the widget, and requests the content of gates as a visitor without a session. */
export async function elementChecks(target: SiteTarget): Promise<Finding[]> {
  const { elements } = target.page;
  const gates = elements.filter(({ name }) => name === 'latchkey-gate');
  const findings = [...differingAttributes(target)];
  for (const gate of gates) {
    findings.push(...rule(target, gate), ...content(target, gate), ...(await source(target, gate)));
  }
  return findings;
}

const whereOf = ({ page }: SiteTarget) => page.url.href;

/** Elements of the same client, service and backend share one session. */
function differingAttributes(target: SiteTarget): Finding[] {
  const first = new Map<string, string>();
  const differing = new Set<string>();
  for (const { attributes } of target.page.elements) {
    if (attributes['client-id'] === undefined) continue;
    const session = ['client-id', 'service-url', 'backend'].map((name) => attributes[name] ?? '').join(' ');
    for (const name of SESSION_ATTRIBUTES) {
      const value = attributes[name];
      if (value === undefined) continue;
      const key = `${session} ${name}`;
      if ((first.get(key) ?? value) !== value) differing.add(name);
      if (!first.has(key)) first.set(key, value);
    }
  }
  return [...differing].map((name) => ({
    code: 'attributes-differ' as const,
    where: whereOf(target),
    meaning: `Elements of one session have different values of ${name}. The widget uses the first one, and ignores the others.`,
    action: 'Give both the same attributes.',
  }));
}

function rule(target: SiteTarget, { attributes }: WidgetElement): Finding[] {
  const ids = DIRECTORY_CONDITIONS.filter((name) => attributes[name] !== undefined);
  const backend = attributes.backend ?? target.sessions.find(({ hasBackend }) => hasBackend)?.backend?.href;
  const empty = ids.find((name) => attributes[name]?.trim() === '');
  const [condition] = ids;
  if (condition !== undefined && (backend === undefined || empty !== undefined)) {
    return [
      {
        code: 'gate-without-backend',
        where: whereOf(target),
        meaning: `<latchkey-gate>: ${empty ?? condition}="${attributes[empty ?? condition] ?? ''}" needs an id and a session with a backend. Without one, memberships name no community.`,
        action: 'Set backend to the path where @latchkey/express is mounted, such as /auth, and name an id.',
      },
    ];
  }
  if (condition !== undefined || attributes.membership || attributes.src) return [];
  return [
    {
      code: 'gate-without-rule',
      where: whereOf(target),
      meaning: '<latchkey-gate> has no community, product or plan. It opens for members of any seller.',
      action: 'Set community, product or plan to your own ids, and backend.',
    },
  ];
}

function content(target: SiteTarget, gate: WidgetElement): Finding[] {
  if (!gate.hasContent) return [];
  return [
    {
      code: 'gate-content-in-page',
      where: whereOf(target),
      meaning:
        'The page contains the content of a <latchkey-gate>. The gate hides it but does not protect it: everyone can read the source of the page.',
      action: 'Set src to a URL that requireMembership() guards, if the content is secret.',
    },
  ];
}

/** Requests the content of a gate without a session, as anybody can. */
async function source(target: SiteTarget, { attributes: { src } }: WidgetElement): Promise<Finding[]> {
  const url = src === undefined ? undefined : resolve(src, target.page.url);
  if (url === undefined) return [];
  const missing = (meaning: string, action: string): Finding[] => [
    { code: 'gate-content-missing', where: url.href, meaning, action },
  ];
  const { origin } = target.page.url;
  if (url.origin !== origin)
    return missing(
      'src of <latchkey-gate> belongs to another origin. The gate does not request it.',
      `Use an address of ${origin}.`,
    );
  const probe = await target.get(url, { accept: 'text/html' });
  if (probe.kind === 'failed')
    return missing(
      `The content of <latchkey-gate> cannot be loaded: ${probe.reason}.`,
      'Check the attribute src.',
    );
  const { status } = probe.answer;
  if (status >= 200 && status < 300) {
    return [
      {
        code: 'gate-content-public',
        where: url.href,
        meaning:
          'Everyone can read the content of this <latchkey-gate>: its address answers without a session.',
        action: 'Guard the route with auth.requireMembership(), before any static files or caches.',
      },
    ];
  }
  if (status === 404 || status === 405 || status >= 500)
    return missing(
      `The content of <latchkey-gate> answers with status ${status}.`,
      'Check the attribute src and the route.',
    );
  return [];
}
