import { ruleOf } from '@latchkey/conformance';
import { fixturesSchema } from '@latchkey/conformance/fixtures';
import { Missing, PROVIDER_CHECKS, runCheck, Session } from '@latchkey/conformance/provider';
import { docsUrl } from '@latchkey/contract/constants';
import type { Output } from '../command-line/command.js';
import { isLoopbackHost } from '../command-line/values.js';
import { DELIVERY_CHECKS } from './captured-delivery.js';
import { secretsOf } from './doctor-settings.js';
import { shownText } from './findings.js';
import { type Probe, sendProbe } from './probe.js';
import { Differs, SERVICE_CHECKS, type ServiceCheck, type ServiceSettings } from './service-checks.js';

/** Requests per second, one after the other, to a service with other users. */
const RATE = 20;
/** How long a complete response may take, in milliseconds. A service that takes longer gets no more requests. */
const ANSWER_MS = 15_000;
const SERVICE_MS = 120_000;
/** Longest body that is read, in bytes: longer than any caller of the service accepts. */
const BODY_MAX_BYTES = 2_000_000;
const LIST_MAX_BYTES = 20_000_000;

/** A fact about the service, as the report with `--json` shows it. */
type Fact = {
  readonly id: string;
  /** Id in docs/live-service.md. */
  readonly assumption?: string;
  /** Section of the specification with the rule. */
  readonly section?: string;
} & (
  | { readonly result: 'ok'; readonly meaning: string }
  | { readonly result: 'differs'; readonly meaning: string; readonly action: string }
  | { readonly result: 'not_checked'; readonly needs: string }
);

/** Checks first what only Latchkey needs, then the specification's rules. @returns 1 if the service differs, else 0. */
export async function runServiceDoctor(
  settings: ServiceSettings,
  { print }: Pick<Output, 'print'>,
): Promise<number> {
  const { service, serviceNames: names, json } = settings;
  const session = openSession(settings);
  const checked = await factsOf([...SERVICE_CHECKS, ...DELIVERY_CHECKS], session, settings);
  const rules = await ruleFacts(session, checked);
  const safe = (text: string) => shownText(text, secretsOf(settings));
  const facts = [...checked, ...rules].map((fact): Fact => {
    if (fact.result === 'not_checked') return { ...fact, needs: safe(fact.needs) };
    const meaning = safe(fact.meaning);
    return fact.result === 'ok' ? { ...fact, meaning } : { ...fact, meaning, action: safe(fact.action) };
  });
  const differs = facts.some(({ result }) => result === 'differs');
  if (json) {
    const environment = isLocal(service) ? 'local' : 'live';
    print(JSON.stringify({ service, environment, names, checks: facts, differs }));
  } else {
    const environment = isLocal(service)
      ? 'local: a service on this machine'
      : 'live: the checks read live data and change nothing';
    const { apiKeyPrefix, headerPrefix, messenger } = names;
    const count = (kind: Fact['result']) => facts.filter(({ result }) => result === kind).length;
    print(
      [
        line('Service', service),
        line('Environment', environment),
        line('Names', `${apiKeyPrefix} ${headerPrefix} ${messenger}`),
        '',
        ...factLines(facts),
        '',
        `${count('ok')} ok, ${count('differs')} differ, ${count('not_checked')} not checked.`,
        ...(differs ? [`Each assumption: ${docsUrl('live-service')}`] : []),
      ].join('\n'),
    );
  }
  return differs ? 1 : 0;
}

/** False for any service on another machine. The specification describes only the live one, so it counts as that. */
const isLocal = (service: string) => isLoopbackHost(new URL(service).hostname);

/** Opens a read-only session of the conformance kit, with the settings' values and with limits in case the service is hostile. */
function openSession(settings: ServiceSettings): Session {
  const { service, serviceNames, origin, clientId, apiKey, community, messengerUserId, accessToken } =
    settings;
  const app = {
    ...(clientId !== undefined && { clientId }),
    ...(apiKey !== undefined && { apiKey }),
    ...(community !== undefined && { communityId: community }),
    ...(messengerUserId !== undefined && { messengerUserId }),
    ...(accessToken !== undefined && { accessToken }),
  };
  const session = new Session({
    baseUrl: service,
    fixtures: fixturesSchema.parse({ serviceNames, app }),
    driver: undefined,
    isDestructive: false,
    sendsMadeUp: true,
    // A service on this machine has no other users.
    rate: isLocal(service) ? 1_000 : RATE,
    seed: 0,
    generatedRuns: 0,
    fetch: (url, init) => send(String(url), init),
  });
  const { token, userinfo, memberships } = session.paths;
  const asPage = [token, userinfo, memberships].map((path) => service + path);
  const startedAt = performance.now();
  let unanswered: Probe | undefined;
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    if (performance.now() - startedAt > SERVICE_MS)
      throw new Error(`the service needed more than ${SERVICE_MS / 1000} s`);
    // Pages with the widget send their origin to these endpoints.
    const headers = new Headers(init.headers);
    if (origin !== undefined && asPage.includes(url)) headers.set('origin', origin);
    const bytes = url.endsWith(memberships) ? LIST_MAX_BYTES : BODY_MAX_BYTES;
    // If the service doesn't respond once, the rest of the run would take minutes.
    const probe = unanswered ?? (await sendProbe(url, { ...init, headers }, { ms: ANSWER_MS, bytes }));
    if (probe.kind === 'failed') {
      if (probe.isTimeout) unanswered = probe;
      throw new Error(probe.reason);
    }
    const { status, text } = probe.answer;
    return new Response(text === '' ? null : text, { status, headers: probe.answer.headers });
  };
  return session;
}

async function factsOf(
  checks: readonly ServiceCheck[],
  session: Session,
  settings: ServiceSettings,
): Promise<Fact[]> {
  const facts: Fact[] = [];
  for (const { id, assumption, run } of checks) {
    const about = { id, ...(assumption !== undefined && { assumption }) };
    try {
      facts.push({ ...about, result: 'ok', meaning: await run(session, settings) });
    } catch (error) {
      if (error instanceof Differs)
        facts.push({ ...about, result: 'differs', meaning: error.message, action: error.action });
      else if (error instanceof Missing)
        facts.push({ ...about, result: 'not_checked', needs: needsOf(error.message) });
      else throw error;
    }
  }
  return facts;
}

/** Rules that can't be checked, or would only repeat a finding, while another check fails. */
const BLOCKED: Readonly<Record<string, RegExp>> = {
  reachable: /./,
  'base-url-final': /./,
  'service-names': /^(?:api-key|rejection|check-messenger)\./,
  'client-known': /^client-identity\.(?!unknown-client)/,
};

/** Runs the conformance kit's read-only profile, which needs nothing that an app doesn't have. */
async function ruleFacts(session: Session, others: readonly Fact[]): Promise<Fact[]> {
  const differing = others.filter(({ result }) => result === 'differs');
  const facts: Fact[] = [];
  for (const check of PROVIDER_CHECKS.filter(({ mode }) => mode === 'probe')) {
    const { id } = check;
    const { section, text: rule } = ruleOf(id);
    const text = rule.replaceAll('svc_', session.fixtures.serviceNames.apiKeyPrefix);
    const about = { id, section };
    const reason = differing.find((fact) => BLOCKED[fact.id]?.test(id));
    if (reason !== undefined) {
      facts.push({ ...about, result: 'not_checked', needs: `the right settings: see ${reason.id}.` });
      continue;
    }
    const { outcome } = await runCheck(check, session);
    if (outcome.kind === 'failed') {
      const message = outcome.message.replace(/^expected/, 'Expected');
      facts.push({ ...about, result: 'differs', meaning: `${text} ${message}.`, action: actionOf(id) });
    } else if (outcome.kind === 'passed') facts.push({ ...about, result: 'ok', meaning: text });
    else facts.push({ ...about, result: 'not_checked', needs: needsOf(outcome.reason) });
  }
  return facts;
}

const ADDRESS = 'Compare serviceUrl with the documentation of the service.';
const REPORT = 'Report the form with the version of Latchkey.';
const REJECTION =
  'Branch on the status 401 of LatchkeyApiError. With an errorCode, its code is "failed" instead of "rejected".';

/** What to do about a broken rule, by its id or its area. */
const ACTIONS: Readonly<Record<string, string>> = {
  'api-key': REJECTION,
  'api-key.prefix':
    'Set apiKeyPrefix in serviceNames to the beginning of the keys of this service, up to the first underscore.',
  'authorize.unknown-client': ADDRESS,
  'check-messenger': `checkMessenger() of @latchkey/client cannot read this answer. ${REPORT}`,
  'client-identity': `Set clientId as the service writes it. ${REPORT}`,
  memberships: `Gates cannot open as they should. ${REPORT}`,
  'memberships.id': `Gates cannot recognise a membership without an id. Ids that are no UUIDs are compared with their letter case. ${REPORT}`,
  'memberships.list-shape': `No gate can open. ${REPORT}`,
  'memberships.valid-until': `Such a membership counts as expired. ${REPORT}`,
  'oauth-error.invalid-client-unknown':
    'Ask the service if the token endpoint reads client credentials from the form (client_secret_post). Latchkey sends them nowhere else.',
  rejection: REJECTION,
  'userinfo.sub': `Nobody can sign in without sub. The packages accept one that is no UUID. ${REPORT}`,
};

function actionOf(id: string): string {
  return ACTIONS[id] ?? ACTIONS[id.split('.')[0] ?? ''] ?? `Ask the service why it differs. ${REPORT}`;
}

/** Settings that provide the kit's fixtures. */
const SETTINGS: Readonly<Record<string, string>> = {
  'keys.full': 'LATCHKEY_API_KEY.',
  'communities.main': '--community.',
  'clients.public': '--client-id.',
  'users.member': 'LATCHKEY_ACCESS_TOKEN of a test account.',
};

/** Returns what a check needs, from the reason why it didn't run. */
function needsOf(reason: string): string {
  const fixture = /^needs fixtures\.(.+)$/.exec(reason)?.[1];
  if (fixture !== undefined) return SETTINGS[fixture] ?? `${fixture}.`;
  if (reason.startsWith('no response to ')) return `an answer of the service: ${reason}.`;
  return reason.replace(/^precondition: (.*)$/, 'another answer of the service: $1.');
}

const WORDS = { ok: 'ok', differs: 'DIFFERS', not_checked: 'not checked' } as const;
const INDENT = 13;
/** How many rules a line lists one by one. */
const LISTED_IDS = 8;

const line = (name: string, text: string) => `${name.padEnd(INDENT)}${text}`;

/** Returns each check with its result. Rules that are kept share lines, and so do rules that need the same. */
function factLines(facts: readonly Fact[]): string[] {
  const shared = new Map<string, string[]>();
  const lines = facts.flatMap((fact) => {
    const { id, assumption, section, result } = fact;
    const text = result === 'not_checked' ? `Needs ${fact.needs}` : fact.meaning;
    if (section !== undefined && result !== 'differs') {
      const key = result === 'ok' ? 'The service keeps them.' : text;
      shared.set(key, [...(shared.get(key) ?? []), id]);
      return [];
    }
    const about = section ?? (assumption === id ? undefined : assumption && `assumption ${assumption}`);
    return [
      line(WORDS[result], about === undefined ? id : `${id} (${about})`),
      line('', text),
      ...(result === 'differs' ? [line('', `To do: ${fact.action}`)] : []),
    ];
  });
  const groups = [...shared].flatMap(([text, ids]) => [
    line(
      text.startsWith('Needs') ? WORDS.not_checked : WORDS.ok,
      ids.length <= LISTED_IDS ? ids.join(', ') : `${ids.length} rules of the specification`,
    ),
    line('', text),
  ]);
  return [...lines, ...groups];
}
