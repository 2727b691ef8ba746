import type { CheckResult, Report } from '../report/report.js';
import { apiKeyChecks } from './checks/api-key-checks.js';
import { authorizeChecks } from './checks/authorize-checks.js';
import { checkoutChecks } from './checks/checkout-checks.js';
import { clientChecks } from './checks/client-checks.js';
import { clockChecks } from './checks/clock-checks.js';
import { dropChecks } from './checks/drop-checks.js';
import { generalChecks } from './checks/general-checks.js';
import { provisionChecks } from './checks/provision-checks.js';
import { resourceChecks } from './checks/resource-checks.js';
import { revokeChecks } from './checks/revoke-checks.js';
import { tokenChecks } from './checks/token-checks.js';
import { webhookChecks } from './checks/webhook-checks.js';
import { commandDriver, type Driver, urlDriver } from './session/driver.js';
import type { Fixtures } from './session/fixtures.js';
import { CHECK_MODES, type ProviderCheck, Session } from './session/session.js';

/** All checks of a service, in order: first the ones that only read, last the ones that move the clock. */
export const PROVIDER_CHECKS: readonly ProviderCheck[] = [
  ...generalChecks,
  ...apiKeyChecks,
  ...provisionChecks,
  ...checkoutChecks,
  ...dropChecks,
  ...authorizeChecks,
  ...tokenChecks,
  ...clientChecks,
  ...revokeChecks,
  ...resourceChecks,
  ...webhookChecks,
  ...clockChecks,
].toSorted((a, b) => CHECK_MODES.indexOf(a.mode) - CHECK_MODES.indexOf(b.mode));

const DEVELOPER_AREA = 'it is about pages of the developer area, which are no part of the API';

/** Rules that no check can observe from outside, with the reason. */
export const UNOBSERVABLE_RULES: Readonly<Record<string, string>> = {
  'api-key.permissions-fixed': DEVELOPER_AREA,
  'api-key.selectable-permissions': DEVELOPER_AREA,
  'api-key.private-permission': DEVELOPER_AREA,
  'api-key.shown-once': DEVELOPER_AREA,
  'api-key.stored-as-hash': 'the database is not visible over HTTP',
  'api-key.status-server-failure': 'no request makes a correct service fail',
  'credentials.client-type-changeable': DEVELOPER_AREA,
  'provision.private': 'it is about whom the operator of the service vets',
  'webhook.registered-by-owner': DEVELOPER_AREA,
};

/** Requests per second of a run, low enough for a service with other users. */
const DEFAULT_RATE = 5;

const DEFAULT_GENERATED_RUNS = 20;

/** Options of {@link runProviderChecks}. */
export interface ProviderRunOptions {
  /** Base URL of the service. It can contain a path. */
  readonly baseUrl: string;
  readonly fixtures: Fixtures;
  /** Driver in this process. @default the one in the fixtures */
  readonly driver?: Driver;
  /** Also runs the checks that write. Otherwise a run only sends GET requests. @default false */
  readonly destructive?: boolean;
  /** Ids and areas to run, such as `token.code-grant` and `provision`. @default all */
  readonly only?: readonly string[];
  /** Requests per second. @default 5 */
  readonly rate?: number;
  /** Results of an earlier run, which aren't repeated. @default none */
  readonly done?: readonly CheckResult[];
  /** Seed of the generated requests. @default a random one */
  readonly seed?: number;
  /** Number of generated requests for each endpoint and kind (valid, invalid). @default 20 */
  readonly generatedRuns?: number;
  /** Receives each result as soon as it exists. */
  readonly onResult?: (result: CheckResult) => void;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
}

/** Runs the checks of a service one after another, and returns the report. */
export async function runProviderChecks(options: ProviderRunOptions): Promise<Report> {
  const { fixtures, done = [], onResult, seed = Math.trunc(Math.random() * 2 ** 31) } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const startedAt = Date.now();
  const isDestructive = options.destructive ?? false;
  const driver = isDestructive ? (options.driver ?? driverOf(fixtures)) : undefined;
  const session = new Session({
    baseUrl,
    fixtures,
    driver,
    isDestructive,
    rate: options.rate ?? DEFAULT_RATE,
    fetch: options.fetch ?? fetch,
    seed,
    generatedRuns: options.generatedRuns ?? DEFAULT_GENERATED_RUNS,
  });
  const finished = new Map(done.map((result) => [result.id, result]));
  const results: CheckResult[] = [];
  try {
    for (const check of selectChecks(options.only)) {
      const result = finished.get(check.id) ?? (await runCheck(check, session));
      results.push(result);
      onResult?.(result);
    }
  } finally {
    await session.close();
    if (options.driver === undefined) await driver?.close();
  }
  results.push(...selectUnobservable(options.only));
  return { side: 'provider', subject: baseUrl, startedAt, finishedAt: Date.now(), seed, results };
}

/** Returns the checks with these ids or areas (the part before the dot); all of them without a selection. */
export function selectChecks(only: readonly string[] = []): readonly ProviderCheck[] {
  return PROVIDER_CHECKS.filter(({ id }) => isSelected(id, only));
}

function selectUnobservable(only: readonly string[] = []): CheckResult[] {
  return Object.entries(UNOBSERVABLE_RULES)
    .filter(([id]) => isSelected(id, only))
    .map(([id, reason]) => ({
      id,
      outcome: { kind: 'unobservable', reason },
      roundTrips: [],
      durationMs: 0,
    }));
}

function isSelected(id: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((name) => id === name || id.startsWith(`${name}.`));
}

/** Runs one check in a session, and returns its result with the messages that it observed. */
export async function runCheck(check: ProviderCheck, session: Session): Promise<CheckResult> {
  const start = performance.now();
  session.takeRoundTrips();
  const outcome = await check.run(session);
  const durationMs = Math.round(performance.now() - start);
  return { id: check.id, outcome, roundTrips: session.takeRoundTrips(), durationMs };
}

function driverOf({ driver }: Fixtures): Driver | undefined {
  if (driver === undefined) return undefined;
  return 'command' in driver
    ? commandDriver(driver.command, driver.actions)
    : urlDriver(driver.url, driver.actions);
}
