import type { Output } from '../../command-line/command.js';
import { printableLine } from '../../command-line/printable.js';
import { isLoopbackHost } from '../../command-line/service-values.js';
import type { ProbeContext } from '../http/probe.js';
import type { DoctorSettings } from '../settings/doctor-settings.js';
import { ACCOUNT_CHECKS } from './checks/account-checks.js';
import { API_KEY_CHECKS } from './checks/api-key-checks.js';
import { BASE_CHECKS } from './checks/base-checks.js';
import { CORS_CHECKS } from './checks/cors-checks.js';
import { ServiceTarget } from './checks/service-target.js';
import { SIGN_IN_CHECKS } from './checks/sign-in-checks.js';
import { WEBHOOK_CHECKS } from './checks/webhook-checks.js';
import { type Check, type CheckedFact, type CheckResult, runChecks } from './report/check.js';

/** Facts about the run, printed above the results. */
type ReportHeading = readonly (readonly [name: string, value: string])[];

const WORDS: Readonly<Record<CheckResult['kind'], string>> = {
  ok: 'ok',
  differs: 'DIFFERS',
  not_checked: 'not checked',
};
const INDENT = '             ';

/** The report as text: the heading, a paragraph for each check, and the numbers of the results. */
function reportText(heading: ReportHeading, facts: readonly CheckedFact[]): string {
  const count = (kind: CheckResult['kind']) => facts.filter(({ result }) => result.kind === kind).length;
  return [
    ...heading.map(([name, value]) => `${name.padEnd(INDENT.length)}${value}`),
    '',
    ...facts.map(factText),
    '',
    `${count('ok')} ok, ${count('differs')} differ, ${count('not_checked')} not checked.`,
    ...(count('differs') === 0 ? [] : ['docs/live-service.md explains each assumption.']),
  ].join('\n');
}

function factText({ id, assumption, result }: CheckedFact): string {
  const about = assumption === undefined || assumption === id ? id : `${id} (assumption ${assumption})`;
  const lines = [`${WORDS[result.kind].padEnd(INDENT.length)}${about}`];
  if (result.kind === 'not_checked') lines.push(`${INDENT}Needs ${result.needs}`);
  else lines.push(`${INDENT}${result.meaning}`);
  if (result.kind === 'differs') lines.push(`${INDENT}To do: ${result.action}`);
  return lines.join('\n');
}

function reportJson(service: Readonly<Record<string, unknown>>, facts: readonly CheckedFact[]): string {
  const checks = facts.map(({ id, assumption, result: { kind, ...details } }) => ({
    ...{ id, assumption, result: kind },
    ...details,
  }));
  return JSON.stringify({ ...service, checks, differs: checks.some(({ result }) => result === 'differs') });
}

/** Longest sentence of a report, in characters. The text of a service can be longer. */
const SENTENCE_LENGTH_MAX = 500;

/**
 * Makes results safe to print. Parts of them were written by the service, which can repeat credentials, for example in the
 * names of fields.
 */
function shownFacts(facts: readonly CheckedFact[], secrets: readonly string[]): CheckedFact[] {
  const shown = (text: string) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    return printableLine(shortened(hidden));
  };
  return facts.map((fact) => ({ ...fact, result: shownResult(fact.result, shown) }));
}

function shownResult(result: CheckResult, shown: (text: string) => string): CheckResult {
  if (result.kind === 'not_checked') return { ...result, needs: shown(result.needs) };
  if (result.kind === 'ok') return { ...result, meaning: shown(result.meaning) };
  return { ...result, meaning: shown(result.meaning), action: shown(result.action) };
}

function shortened(text: string): string {
  return text.length <= SENTENCE_LENGTH_MAX ? text : `${text.slice(0, SENTENCE_LENGTH_MAX)}…`;
}

/** All checks of `latchkey doctor --service`, in the order of the report. docs/live-service.md names them by id. */
const SERVICE_CHECKS: readonly Check<ServiceTarget>[] = [
  ...BASE_CHECKS,
  ...SIGN_IN_CHECKS,
  ...CORS_CHECKS,
  ...API_KEY_CHECKS,
  ...ACCOUNT_CHECKS,
  ...WEBHOOK_CHECKS,
];

/**
 * Checks a service and prints the report.
 *
 * @returns the exit code: 1 if the service differs from what the packages assume.
 */
export async function runServiceDoctor(
  settings: DoctorSettings & { service: string },
  { print }: Pick<Output, 'print'>,
  context: ProbeContext,
): Promise<number> {
  const {
    service,
    serviceNames: names,
    json,
    webhookBody,
    webhookSignature,
    webhookEventId,
    ...input
  } = settings;
  const delivery =
    webhookBody === undefined || webhookSignature === undefined
      ? undefined
      : { body: webhookBody, signature: webhookSignature, eventId: webhookEventId };
  const target = new ServiceTarget({ ...input, baseUrl: service, names, delivery }, context);
  const facts = shownFacts(await runChecks(SERVICE_CHECKS, target), secretsOf(settings));
  const environment = environmentOf(service);
  if (json) {
    print(reportJson({ service, environment: environment.id, names }, facts));
  } else {
    const { apiKeyPrefix, headerPrefix, messenger } = names;
    print(
      reportText(
        [
          ['Service', service],
          ['Environment', environment.text],
          ['Names', `${apiKeyPrefix} ${headerPrefix} ${messenger}`],
        ],
        facts,
      ),
    );
  }
  return facts.some(({ result }) => result.kind === 'differs') ? 1 : 0;
}

function secretsOf({ apiKey, accessToken, webhookSecret }: DoctorSettings): string[] {
  return [apiKey, accessToken, webhookSecret].filter((secret) => secret !== undefined);
}

/** Treats each service on another machine as the live one, because the specification describes no other. */
function environmentOf(service: string): { id: 'live' | 'local'; text: string } {
  return isLoopbackHost(new URL(service).hostname)
    ? { id: 'local', text: 'local: a service on this machine' }
    : { id: 'live', text: 'live: the checks read live data and change nothing' };
}
