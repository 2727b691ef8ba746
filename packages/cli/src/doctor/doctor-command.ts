import type { CommandDefinition, Output } from '../command-line/command.js';
import { isLoopbackHost } from '../command-line/service-values.js';
import { SERVICE_CHECKS } from './checks/service-checks.js';
import { ServiceTarget } from './checks/service-target.js';
import type { ProbeContext } from './http/probe.js';
import { runChecks } from './report/check.js';
import { reportJson, reportText } from './report/report-text.js';
import { shownFacts } from './report/shown-facts.js';
import { type DoctorSettings, doctorSettings } from './settings/doctor-settings.js';

const SYSTEM: ProbeContext = {
  // Read at the call, so that a later replacement of the global fetch applies.
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
};

/** `latchkey doctor` */
export const doctorCommand: CommandDefinition<typeof doctorSettings> = {
  name: 'doctor',
  summary: 'Finds what is wrong with your site, its backend and the service.',
  settings: doctorSettings,
  examples: [
    'latchkey doctor --site https://shop.example --service https://service.example',
    'latchkey doctor --site http://localhost:4402 --service http://127.0.0.1:4400 --project . --fix',
    'latchkey doctor --service https://service.example',
    'latchkey doctor --service https://service.example --service-names \'{"messenger":"telegram"}\' --json',
    'latchkey doctor --service https://service.example --client-id oac_a1b2c3d4e5f60718293a4b5c \\',
    '  --redirect-uri https://shop.example/auth/callback --origin https://shop.example',
    'latchkey doctor --service https://service.example --webhook-body body.json --webhook-signature 5257a869…',
  ],
  notes:
    'With --site or --project, it prints findings with their remedies, or "All fine.". docs/doctor.md explains each of them. Without, it checks the service: docs/live-service.md explains each check. The exit code is 0 if nothing is wrong except for warnings, 1 if something is, 2 for an error in the command line. A site receives GET requests only, and a service also OPTIONS requests and one token request with a made-up client. Only --fix and --send-event change something, in a sandbox.',
  async run(settings, output) {
    const { service, site, project } = settings;
    if (service !== undefined && site.length === 0 && project === undefined)
      return await runDoctor({ ...settings, service }, output, SYSTEM);
    const { runSiteDoctor } = await import('./site/run-site-doctor.js');
    return await runSiteDoctor(settings, output, SYSTEM);
  },
};

/** Runs all checks and prints the report. Returns the exit code. */
async function runDoctor(
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

/** A service on another machine is taken for the live one, because the specification knows no other. */
function environmentOf(service: string): { id: 'live' | 'local'; text: string } {
  return isLoopbackHost(new URL(service).hostname)
    ? { id: 'local', text: 'local: a service on this machine' }
    : { id: 'live', text: 'live: the checks read live data and change nothing' };
}
