import type { Report } from '@latchkey/conformance';
import { type DriverAction, PROVIDER_CHECKS, runProviderChecks } from '@latchkey/conformance/provider';
import type { SandboxTarget } from '../sandbox-target.js';
import type { Deviation, Fault, ProxiedRequest, Reply } from './fault.js';
import { forwardTo, startProxy } from './faulty-proxy.js';

const RELAY = '/webhook-relay/';

/** Fields of the driver's actions with the URL of a webhook. */
const WEBHOOK_FIELDS: Readonly<Partial<Record<DriverAction, string>>> = {
  createWebhook: 'url',
  buyProduct: 'webhookUrl',
};

/** Runs checks against the sandbox with a fault or a variant in front of it. */
export async function runWithFault(
  target: SandboxTarget,
  deviation: Deviation,
  only: readonly string[],
): Promise<Report> {
  const handler = deviation.handler(target.fixtures);
  let secret = '';
  const proxy = await startProxy((request) =>
    request.path.startsWith(RELAY)
      ? relay(deviation, request, secret)
      : handler(request, (changed) => forwardTo(target.baseUrl, withHost(changed, target.baseUrl))),
  );
  const { driver } = target;
  try {
    return await runProviderChecks({
      baseUrl: proxy.baseUrl,
      fixtures: { ...target.fixtures, webhook: { port: 0, timeoutSeconds: 3 } },
      destructive: true,
      rate: 10_000,
      seed: 1,
      only,
      driver: {
        ...driver,
        async run(action, input) {
          const field = WEBHOOK_FIELDS[action];
          const changed =
            field !== undefined && field in input ? relayed(input, field, proxy.baseUrl) : input;
          const answer = await driver.run(action, changed as typeof input);
          if ('secret' in answer) secret = String(answer.secret);
          return (deviation.driven?.({ ...answer }) ?? answer) as typeof answer;
        },
      },
    });
  } finally {
    await driver.close();
    await proxy.close();
  }
}

/**
 * Ids of the checks in some areas that a fault could wrongly fail. Moving the clock takes long, so only faults in it run
 * the checks that do.
 */
export function checksFor(
  { needsClock = false }: Partial<Fault>,
  areas?: readonly string[],
): readonly string[] {
  return PROVIDER_CHECKS.filter(({ mode }) => needsClock || mode !== 'clock')
    .map(({ id }) => id)
    .filter((id) => areas === undefined || areas.includes(id.split('.')[0] ?? ''));
}

/** Ids of the rules that a report shows as broken. */
export function brokenRules({ results }: Report): readonly string[] {
  return results.filter(({ outcome }) => outcome.kind === 'failed').map(({ id }) => id);
}

/** Ids of the rules for which a run observed nothing. */
export function unobservedRules({ results }: Report): readonly string[] {
  return results.filter(({ outcome }) => outcome.kind === 'not-run').map(({ id }) => id);
}

/** The sandbox rejects requests for another host, and its forms reject another origin. */
function withHost(request: ProxiedRequest, baseUrl: string): ProxiedRequest {
  const { host: _proxy, ...headers } = request.headers;
  return { ...request, headers: { ...headers, host: new URL(baseUrl).host } };
}

/** Lets the deliveries of a webhook pass through the proxy. */
function relayed<Input extends object>(input: Input, field: string, proxyUrl: string): Input {
  const { port } = new URL(String(Reflect.get(input, field)));
  return { ...input, [field]: `${proxyUrl}${RELAY}${port}` };
}

async function relay(
  { delivery: change }: Deviation,
  request: ProxiedRequest,
  secret: string,
): Promise<Reply> {
  const port = request.path.slice(RELAY.length);
  const delivery = change === undefined ? request : change(request, secret);
  if (delivery === undefined) return { status: 204, headers: {}, body: '' };
  return await forwardTo(`http://127.0.0.1:${port}`, { ...delivery, path: '/' });
}
