import type { Report } from '../report/report.js';
import { callerReport } from './checks/caller-report.js';
import { appOf } from './drive/action-request.js';
import { Driver, type Performers } from './drive/driver.js';
import { type StartedApp, startApp } from './drive/started-app.js';
import { playApiKey, playFailureReport } from './play/play-api-key.js';
import { playRun } from './play/play-run.js';
import { playSignIn } from './play/play-sign-in.js';
import { playWebhooks } from './play/play-webhooks.js';
import type { ActionName, CallerProfile } from './profile/caller-profile.js';
import type { WebhookRecord } from './record/delivery.js';
import type { FailureReport, Recording } from './record/recording.js';
import { scriptedEnvironment } from './service/credentials.js';
import type { ScriptedService } from './service/scripted-service.js';

/** Options of {@link testCaller}. */
export interface TestCallerOptions {
  readonly service: ScriptedService;
  readonly profile: CallerProfile;
  /** Functions that perform actions instead of the requests and commands of the profile. */
  readonly performers?: Performers;
  /** Scripts under which the command of the action `run` runs. @default all */
  readonly runScripts?: readonly string[];
  /** Seconds within which the receiver must answer. @default 10, as the specification says */
  readonly deliverySeconds?: number;
  /** Receives a line about each step. */
  readonly onStep?: (text: string) => void;
}

/** Drives an app through all scripts by its profile, and judges what it did. */
export async function testCaller(options: TestCallerOptions): Promise<Report> {
  const { service, profile, performers = {}, runScripts, deliverySeconds, onStep = () => {} } = options;
  const startedAt = Date.now();
  const app = await start(profile, service);
  try {
    const driver = new Driver({ service, profile, performers });
    onStep('Running the actions with an API key');
    await playApiKey(driver);
    if (driver.has('run')) onStep('Running the command');
    await playRun(driver, (script) => runScripts?.includes(script) ?? true);
    if (driver.has('signIn')) onStep('Signing in');
    await playSignIn(driver);
    if (profile.webhook !== undefined) onStep('Delivering webhooks');
    const webhooks = await playWebhooks(
      driver,
      deliverySeconds === undefined ? {} : { timeoutMs: deliverySeconds * 1000 },
    );
    if (driver.has('failureReport')) onStep('Reading the report about a failure');
    const failureReport = await playFailureReport(driver);
    return callerReport(recordingOf({ driver, webhooks, failureReport }), { profile, startedAt });
  } finally {
    await app?.stop();
  }
}

function recordingOf({
  driver: { service, profile, performers, runs },
  webhooks,
  failureReport,
}: {
  driver: Driver;
  webhooks: WebhookRecord | undefined;
  failureReport: FailureReport | undefined;
}): Recording {
  const actions = Object.keys({ ...profile.actions, ...performers }) as ActionName[];
  const provision = JSON.stringify(profile.actions.provision ?? {});
  return {
    ...{ serviceUrl: service.url, names: service.names, exchanges: service.exchanges },
    ...{ runs, webhooks, failureReport, actions },
    retryWithinSeconds: profile.timing.retryWithinSeconds,
    developerActions: actions.filter((name) => profile.actions[name]?.audience === 'developers'),
    provisionPlaceholders: [...provision.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

async function start(
  profile: CallerProfile,
  { url, names }: ScriptedService,
): Promise<StartedApp | undefined> {
  if (profile.start === undefined) return undefined;
  return await startApp(profile.start, {
    url: appOf(profile),
    environment: scriptedEnvironment(url, names),
    withinMs: profile.timing.startWithinSeconds * 1000,
  });
}
