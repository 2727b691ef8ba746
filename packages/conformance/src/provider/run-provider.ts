import type { CheckResult } from '../report/check.js';
import type { Report } from '../report/report.js';
import { commandDriver } from './driver/command-driver.js';
import type { Driver, DriverAction } from './driver/driver.js';
import { driverAnswer } from './driver/driver-answer.js';
import type { Fixtures } from './fixtures/fixtures.js';
import { Missing } from './outcome/outcome-errors.js';
import { PROVIDER_CHECKS } from './provider-checks.js';
import type { ProviderCheck } from './session/provider-check.js';
import { Session } from './session/session.js';
import { UNOBSERVABLE_RULES } from './unobservable-rules.js';

/** Milliseconds until a driver must answer. A person may have to sign in. */
const TIMEOUT_MS = 300_000;

/** Driver that is a web server. It receives `{"action": …, "input": …}` by POST and answers with JSON. */
function urlDriver(url: string, actions: readonly DriverAction[]): Driver {
  return {
    actions,
    async run(action, input) {
      let answer: unknown;
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ action, input }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        answer = await response.json();
      } catch (error) {
        throw new Missing(`the driver at ${url} failed: ${error instanceof Error ? error.message : error}`);
      }
      return driverAnswer(action, answer);
    },
    async close() {},
  };
}

/** Requests per second of a run, low enough for a service with other users. */
export const DEFAULT_RATE = 5;

/** Generated requests for each endpoint and kind. */
const DEFAULT_GENERATED_RUNS = 20;

/** Options of {@link runProviderChecks}. */
export interface ProviderRunOptions {
  /** Base URL of the service. It can contain a path. */
  readonly baseUrl: string;
  readonly fixtures: Fixtures;
  /** Driver in this process. @default the one that the fixtures name */
  readonly driver?: Driver;
  /** Also runs the checks that write. Without it, a run sends GET requests only. @default false */
  readonly destructive?: boolean;
  /** Ids and areas to run, such as `token.code-grant` and `provision`. @default all */
  readonly only?: readonly string[];
  /** Requests per second. @default 5 */
  readonly rate?: number;
  /** Results of an earlier run, which are not repeated. @default none */
  readonly done?: readonly CheckResult[];
  /** Seed of the generated requests. @default a random one */
  readonly seed?: number;
  /** Generated requests for each endpoint and kind (valid, invalid). @default 20 */
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

/** Checks whose id or area (the part before the dot) is named; all of them without a selection. */
export function selectChecks(only: readonly string[] = []): readonly ProviderCheck[] {
  return PROVIDER_CHECKS.filter(({ id }) => isSelected(id, only));
}

function selectUnobservable(only: readonly string[] = []): CheckResult[] {
  return Object.entries(UNOBSERVABLE_RULES)
    .filter(([id]) => isSelected(id, only))
    .map(([id, reason]) => ({
      id,
      outcome: { kind: 'unobservable', reason },
      exchanges: [],
      durationMs: 0,
    }));
}

function isSelected(id: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((name) => id === name || id.startsWith(`${name}.`));
}

async function runCheck(check: ProviderCheck, session: Session): Promise<CheckResult> {
  const start = performance.now();
  session.takeExchanges();
  const outcome = await check.run(session);
  const durationMs = Math.round(performance.now() - start);
  return { id: check.id, outcome, exchanges: session.takeExchanges(), durationMs };
}

function driverOf({ driver }: Fixtures): Driver | undefined {
  if (driver === undefined) return undefined;
  return 'command' in driver
    ? commandDriver(driver.command, driver.actions)
    : urlDriver(driver.url, driver.actions);
}
