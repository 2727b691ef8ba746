import type { Output } from '../../command-line/command.js';
import { isLoopbackHost } from '../../command-line/service-values.js';
import type { ProbeContext } from '../http/probe.js';
import type { DoctorSettings } from '../settings/doctor-settings.js';
import { SERVICE_CHECKS } from './checks/service-checks.js';
import { ServiceTarget } from './checks/service-target.js';
import { runChecks } from './report/check.js';
import { reportJson, reportText } from './report/report-text.js';
import { shownFacts } from './report/shown-facts.js';

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
