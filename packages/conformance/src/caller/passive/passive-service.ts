import { escaped } from '../../report/html-report.js';
import { type CheckResult, type Report, ruleOf } from '../../report/report.js';
import type { FakeRequest } from '../../scripted-service/request.js';
import { callerReport } from '../checks/caller-report.js';
import type { Answer, Recording } from '../record/recording.js';
import { ordinaryScript, type Script } from '../service/script.js';
import {
  membership,
  newVisitor,
  ODD_TOKENS,
  PLAIN_TOKENS,
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from '../service/scripted-service.js';
import * as scripts from '../service/scripts.js';

/** A behaviour of the service that a developer selects while using the client by hand. */
interface PassiveScript {
  readonly name: string;
  readonly create: () => Script;
  /** Returns the properties that the service gets, if any. */
  readonly changes?: (service: ScriptedService) => Partial<ScriptedService> | undefined;
}

/** Behaviours by name. Several use the ordinary responses with different data. */
const PASSIVE_SCRIPTS: readonly PassiveScript[] = [
  answering(() => ordinaryScript),
  answering(scripts.unknownFieldsScript),
  data('odd tokens', () => ({ newToken: ODD_TOKENS })),
  data('null email', () => ({ visitor: newVisitor({ email: null }) })),
  data('lifetime membership', () => ({
    visitor: newVisitor({ memberships: [membership({ validUntil: null })] }),
  })),
  data('no membership', () => ({ visitor: newVisitor({ memberships: [] }) })),
  data('short tokens', () => ({ accessTokenSeconds: 20 })),
  data('origin refused', (service) => void service.allowOrigins(false)),
  ...[
    ...[...scripts.STATE_SCRIPTS, scripts.codeRejectedScript, ...scripts.REFRESH_REJECTED_SCRIPTS],
    ...[scripts.refreshDownScript, scripts.insufficientScopeScript],
  ].map((script) => answering(() => script)),
  answering(scripts.invalidTokenScript),
  ...scripts.apiKeyFailureScripts().map((create) => answering(create)),
];

function data(name: string, changes: NonNullable<PassiveScript['changes']>): PassiveScript {
  return { name, create: () => ({ ...ordinaryScript, name }), changes };
}

function answering(create: () => Script): PassiveScript {
  return { name: create().name, create };
}

function select(service: ScriptedService, name: unknown): boolean {
  const selected = PASSIVE_SCRIPTS.find((script) => script.name === name);
  if (selected === undefined) return false;
  service.allowOrigins(true);
  const ordinary = { newToken: PLAIN_TOKENS, accessTokenSeconds: 3600, visitor: newVisitor() };
  Object.assign(service, ordinary, { script: selected.create() }, selected.changes?.(service));
  return true;
}

const CONTROL_PATH = '/.conformance';

/** Handles requests to the page where a developer selects the script and sees what was observed. */
function controlAnswer(
  request: FakeRequest,
  service: ScriptedService,
  results: () => readonly CheckResult[],
): Answer | undefined {
  if (request.path !== CONTROL_PATH) return undefined;
  if (request.method !== 'POST') return page(service, results());
  // The tested client runs in the same browser, and so do other sites.
  if (!isOwnOrigin(request.headers, service.url)) return text(403, 'Use the buttons of the page.');
  if (!select(service, request.fields.script)) return text(400, 'There is no such script.');
  return { status: 303, headers: { location: CONTROL_PATH }, body: '' };
}

/** True for a loopback origin or the service's own, which other sites can't have. */
function isOwnOrigin({ origin = '', host }: FakeRequest['headers'], serviceUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  const names = ['localhost', '127.0.0.1', '[::1]', new URL(serviceUrl).hostname];
  return from.host === host && names.includes(from.hostname);
}

function text(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function page(service: ScriptedService, results: readonly CheckResult[]): Answer {
  const buttons = PASSIVE_SCRIPTS.map(({ name }) => {
    const current = name === service.script.name ? ' aria-current="true"' : '';
    return `<button name="script" value="${escaped(name)}"${current}>${escaped(name)}</button>`;
  });
  const rows = results.map(({ id, outcome }) => {
    const found = outcome.kind === 'failed' ? outcome.message : '';
    return `<tr><td>${outcome.kind}</td><td><code>${escaped(id)}</code></td><td>${escaped(ruleOf(id).text)} <b>${escaped(found)}</b></td></tr>`;
  });
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Scripted service</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
button{font:inherit;margin:.15rem;padding:.2rem .6rem}[aria-current]{font-weight:bold;outline:2px solid}
td{vertical-align:top;padding:.2rem .6rem .2rem 0;border-top:1px solid #8884}</style></head>
<body><h1>Scripted service</h1>
<p>Select a script, then use your client. Requests so far: ${service.roundTrips.length}. Press Ctrl-C in the terminal for the report.</p>
<form method="post">${buttons.join('\n')}</form>
<table>${rows.join('\n')}</table></body></html>`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    },
    body,
  };
}

/** A scripted service for a client that somebody uses by hand. */
export interface PassiveService {
  readonly url: string;
  /** Environment variables for an app that uses this service, by name. */
  readonly environment: Record<string, string>;
  /** URL of the page where the person selects scripts. */
  readonly controlUrl: string;
  /** Selects a script by its name. Returns false if there is none. */
  select(script: string): boolean;
  /** Judges what was observed so far. */
  report(): Report;
  close(): Promise<void>;
}

export const PASSIVE_SCRIPT_NAMES: readonly string[] = PASSIVE_SCRIPTS.map(({ name }) => name);

/** Starts a service that only observes. A rule that wasn't exercised counts as not observed. */
export async function startPassiveService(
  options: Omit<ScriptedServiceOptions, 'otherPath'> = {},
): Promise<PassiveService> {
  const startedAt = Date.now();
  const report = () => callerReport(passiveRecording(service), 'client', startedAt);
  const service: ScriptedService = await startScriptedService({
    ...options,
    otherPath: (request) => controlAnswer(request, service, () => report().results),
  });
  return {
    url: service.url,
    environment: service.environment,
    controlUrl: service.url + CONTROL_PATH,
    select: (name) => select(service, name),
    report,
    close: () => service.close(),
  };
}

function passiveRecording({ url, apiKey, messengerField, roundTrips }: ScriptedService): Recording {
  return {
    ...{ serviceUrl: url, apiKey, messengerField, roundTrips, runs: [], actions: [], developerActions: [] },
    ...{ webhooks: undefined, failureReport: undefined, provisionPlaceholders: [], retryWithinSeconds: 0 },
  };
}
