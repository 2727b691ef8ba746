import { resolve, type WidgetElement } from './read-page.js';
import type { SiteTarget } from './site-target.js';

/** Attributes that the first element of a session sets. */
const SESSION_ATTRIBUTES = ['storage', 'mode', 'return-url', 'callback-url'] as const;
/** Conditions that need the site's own directory. */
const DIRECTORY_CONDITIONS = ['community', 'product', 'plan'] as const;

/** Examines the elements of the widget, and requests the content of gates as a visitor without a session. */
export async function elementChecks(target: SiteTarget): Promise<void> {
  differingAttributes(target);
  for (const element of target.page.elements) {
    if (element.name !== 'latchkey-gate') continue;
    rule(target, element);
    content(target, element);
    await source(target, element);
  }
}

/** Elements of the same client, service and backend share one session. */
function differingAttributes(target: SiteTarget): void {
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
  for (const name of differing) {
    target.report('attributes-differ', {
      meaning: `Elements of one session have different values of ${name}. The widget uses the first one, and ignores the others.`,
      action: 'Give both the same attributes.',
    });
  }
}

function rule(target: SiteTarget, { attributes }: WidgetElement): void {
  const ids = DIRECTORY_CONDITIONS.filter((name) => attributes[name] !== undefined);
  const backend = attributes.backend ?? target.sessions.find(({ hasBackend }) => hasBackend)?.backend?.href;
  const empty = ids.find((name) => attributes[name]?.trim() === '');
  const [condition] = ids;
  if (condition !== undefined && (backend === undefined || empty !== undefined)) {
    target.report('gate-without-backend', {
      meaning: `<latchkey-gate>: ${empty ?? condition}="${attributes[empty ?? condition] ?? ''}" needs an id and a session with a backend. Without one, memberships name no community.`,
      action: 'Set backend to the path where @latchkey/express is mounted, such as /auth, and name an id.',
    });
  } else if (condition === undefined && !attributes.membership && !attributes.src) {
    target.report('gate-without-rule', {
      meaning: '<latchkey-gate> has no community, product or plan. It opens for members of any seller.',
      action: 'Set community, product or plan to your own ids, and backend.',
    });
  }
}

function content(target: SiteTarget, gate: WidgetElement): void {
  if (!gate.hasContent) return;
  target.report('gate-content-in-page', {
    meaning:
      'The page contains the content of a <latchkey-gate>. The gate hides it but does not protect it: everyone can read the source of the page.',
    action: 'Set src to a URL that requireMembership() guards, if the content is secret.',
  });
}

/** Requests the content of a gate without a session, as anybody can. */
async function source(target: SiteTarget, { attributes: { src } }: WidgetElement): Promise<void> {
  const url = src === undefined ? undefined : resolve(src, target.page.url);
  if (url === undefined) return;
  const missing = (meaning: string, action: string) =>
    target.report('gate-content-missing', { where: url.href, meaning, action });
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
