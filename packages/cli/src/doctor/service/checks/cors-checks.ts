import type { Answer, Probe } from '../../http/probe.js';
import { type Check, type CheckResult, differs, notChecked, ok } from '../report/check.js';
import type { ServiceTarget } from './service-target.js';

const USE_BACKEND =
  'Set backend on the elements of the widget, and run @latchkey/express there. The browser then calls only your own server.';

/** Requests that the widget sends without a backend, in the order of a sign-in. */
const tokenCors: Check<ServiceTarget> = {
  id: 'token-cors',
  assumption: 'token-cors',
  async run(target) {
    const { origin } = target.input;
    if (origin === undefined) return notChecked('--origin, the origin of the pages with the widget.');
    const readable = await firstProblem([
      () => mayRead('POST token', target.refuseToken(), origin),
      () => mayPreflight('userinfo', target.preflight('userinfo', origin), origin),
      () => mayRead('GET userinfo', target.resourceWithMadeUpToken('userinfo'), origin),
      () => mayPreflight('memberships', target.preflight('memberships', origin), origin),
      () => mayRead('GET memberships', target.resourceWithMadeUpToken('memberships'), origin),
    ]);
    return (
      readable ?? ok(`Pages of ${origin} may call the token endpoint and the resources without a backend.`)
    );
  },
};

async function firstProblem(
  steps: readonly (() => Promise<CheckResult | undefined>)[],
): Promise<CheckResult | undefined> {
  for (const step of steps) {
    const problem = await step();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mayRead(name: string, probe: Promise<Probe>, origin: string): Promise<CheckResult | undefined> {
  return problemOf(probe, (answer) =>
    allowsOrigin(answer, origin)
      ? undefined
      : `The answer to ${name} has no Access-Control-Allow-Origin for it.`,
  );
}

function mayPreflight(name: string, probe: Promise<Probe>, origin: string): Promise<CheckResult | undefined> {
  return problemOf(probe, (answer) => {
    if (answer.status < 200 || answer.status > 299)
      return `The preflight of ${name} fails: ${answer.status}.`;
    if (!allowsOrigin(answer, origin)) return `The preflight of ${name} does not allow it.`;
    // The wildcard does not include Authorization (Fetch standard).
    const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/\s*,\s*/);
    return allowed.includes('authorization')
      ? undefined
      : `The preflight of ${name} does not allow the header Authorization.`;
  });
}

async function problemOf(
  probe: Promise<Probe>,
  read: (answer: Answer) => string | undefined,
): Promise<CheckResult | undefined> {
  const sent = await probe;
  if (sent.kind === 'failed') return notChecked(`an answer of the service: ${sent.reason}.`);
  const problem = read(sent.answer);
  if (problem === undefined) return undefined;
  return differs(`The service does not admit this origin. ${problem}`, USE_BACKEND);
}

function allowsOrigin({ headers }: Answer, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

/** Checks of requests from browsers. */
export const CORS_CHECKS: readonly Check<ServiceTarget>[] = [tokenCors];
