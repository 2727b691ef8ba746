import type { Output } from '../../command-line/command.js';
import { isLoopbackHost } from '../../command-line/service-values.js';
import { printableLine } from '../../command-line/text.js';
import type { ProbeContext } from '../http/probe.js';
import { type DoctorSettings, secretsOf } from '../settings/doctor-settings.js';
import { type Check, CheckEnd, type CheckResult } from './check.js';
import { ACCOUNT_CHECKS, API_KEY_CHECKS } from './credential-checks.js';
import { BASE_CHECKS, CORS_CHECKS, SIGN_IN_CHECKS } from './endpoint-checks.js';
import { ServiceTarget } from './service-target.js';
import { WEBHOOK_CHECKS } from './webhook-checks.js';

/** All checks of `latchkey doctor --service`, in the order of the report. docs/live-service.md names them by id. */
const SERVICE_CHECKS: readonly Check[] = [
  ...BASE_CHECKS,
  ...SIGN_IN_CHECKS,
  ...CORS_CHECKS,
  ...API_KEY_CHECKS,
  ...ACCOUNT_CHECKS,
  ...WEBHOOK_CHECKS,
];

type CheckedFact = Pick<Check, 'id' | 'assumption'> & { readonly result: CheckResult };

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
  const { service, serviceNames: names, json } = settings;
  const target = new ServiceTarget(settings, context);
  const secrets = secretsOf(settings);
  const facts: CheckedFact[] = [];
  // One after the other, so that the service receives one request at a time.
  for (const { id, assumption, run } of SERVICE_CHECKS)
    facts.push({
      id,
      ...(assumption && { assumption }),
      result: shown(await resultOf(run, target), secrets),
    });
  // Each service on another machine counts as the live one, because the specification describes no other.
  const isLocal = isLoopbackHost(new URL(service).hostname);
  const differs = facts.some(({ result }) => result.kind === 'differs');
  if (json) {
    const checks = facts.map(({ result: { kind, ...details }, ...fact }) => ({
      ...{ ...fact, result: kind },
      ...details,
    }));
    print(JSON.stringify({ service, environment: isLocal ? 'local' : 'live', names, checks, differs }));
  } else {
    const environment = isLocal
      ? 'local: a service on this machine'
      : 'live: the checks read live data and change nothing';
    const { apiKeyPrefix, headerPrefix, messenger } = names;
    const count = (kind: CheckResult['kind']) => facts.filter(({ result }) => result.kind === kind).length;
    print(
      [
        line('Service', service),
        line('Environment', environment),
        line('Names', `${apiKeyPrefix} ${headerPrefix} ${messenger}`),
        '',
        ...facts.map(factText),
        '',
        `${count('ok')} ok, ${count('differs')} differ, ${count('not_checked')} not checked.`,
        ...(differs ? ['docs/live-service.md explains each assumption.'] : []),
      ].join('\n'),
    );
  }
  return differs ? 1 : 0;
}

async function resultOf(run: Check['run'], target: ServiceTarget): Promise<CheckResult> {
  try {
    return await run(target);
  } catch (error) {
    if (error instanceof CheckEnd) return error.result;
    throw error;
  }
}

/** Longest sentence of a report, in characters. The text of a service can be longer. */
const SENTENCE_LENGTH_MAX = 500;

/**
 * Makes a result safe to print. Parts of it were written by the service, which can repeat credentials, for example in the
 * names of fields.
 */
function shown(result: CheckResult, secrets: readonly string[]): CheckResult {
  const safe = Object.entries(result).map(([name, text]: [string, string]) => {
    const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text);
    const isLong = hidden.length > SENTENCE_LENGTH_MAX;
    return [name, printableLine(isLong ? `${hidden.slice(0, SENTENCE_LENGTH_MAX)}…` : hidden)];
  });
  return { ...Object.fromEntries(safe), kind: result.kind };
}

const WORDS = { ok: 'ok', differs: 'DIFFERS', not_checked: 'not checked' } as const;
const INDENT = 13;

const line = (name: string, text: string) => `${name.padEnd(INDENT)}${text}`;

function factText({ id, assumption, result }: CheckedFact): string {
  const about = assumption === undefined || assumption === id ? id : `${id} (assumption ${assumption})`;
  return [
    line(WORDS[result.kind], about),
    line('', result.kind === 'not_checked' ? `Needs ${result.needs}` : result.meaning),
    ...(result.kind === 'differs' ? [line('', `To do: ${result.action}`)] : []),
  ].join('\n');
}
