// The benchmarks of `npm run bench`, their figures and their budgets. docs/performance.md shows them in this order.
import sizes from '../../packages/widget/size-budgets.json' with { type: 'json' };

/**
 * @typedef {object} Figure
 * @property {string} what text in the table
 * @property {string} name name in the benchmark's JSON
 * @property {{ max: number } | { min: number }} [budget] limit of the median; without it, the figure is shown only
 * @property {number} [digits] digits after the point, 2 by default
 * @property {string} [why] reason that the page gives if the budget is missed
 *
 * @typedef {object} Benchmark
 * @property {string} file path in the repository
 * @property {readonly string[]} [flags] flags of a full run
 * @property {readonly string[]} [quickFlags] flags of a run that only shows that the benchmark works
 * @property {readonly Figure[]} figures
 */

const COMMAND_LOADS =
  'The command reads its settings with commander and a copy of zod. It also loads a log and a mail transport. An embedded server loads none of these.';
const SMALL_READ =
  'The statements take so little time on SQLite that the rest of the request counts. In a profile, they and the system call of the response took 29 of 63 µs. Garbage collection took 7 µs, and no other function more than 3 µs.';
const EVERY_GATE =
  'The rows in microseconds show what a cookie, two empty handlers and two headers cost without the kit. The table below them splits the rest.';
const SOCKET_WRITES =
  'In a profile of 2026-11-26, 53 % of the processor time wrote to sockets, and garbage collection took 3 %. No function of the service took more than 1 %.';
const SCENARIOS = ['userinfo', 'refresh', 'check-messenger', 'provision-external'];
const HTTP_QUICK = ['--rounds', '1', '--round-ms', '200', '--rows', '1000'];

/** @type {Readonly<Record<string, Benchmark>>} */
export const BENCHMARKS = {
  start: {
    file: 'packages/server/bench/start.mjs',
    flags: ['--rounds', '21'],
    quickFlags: ['--rounds', '1'],
    figures: [
      ratio('`startServer`: time to the first response', 'embeddedRatio', { max: 2.5 }),
      ratio('`startServer`: processor time', 'embeddedCpuRatio'),
      { what: '`startServer`: memory, MB', name: 'embeddedMegabytes', budget: { max: 110 }, digits: 0 },
      {
        ...ratio('`latchkey serve`: time to the first response', 'commandRatio', { max: 2.5 }),
        why: COMMAND_LOADS,
      },
      ratio('`latchkey serve`: processor time', 'commandCpuRatio'),
      {
        what: '`latchkey serve`: memory, MB',
        name: 'commandMegabytes',
        budget: { max: 110 },
        digits: 0,
        why: COMMAND_LOADS,
      },
    ],
  },
  'http-sqlite': {
    file: 'packages/server/bench/http.mjs',
    flags: ['--database', 'sqlite', '--rounds', '7', '--round-ms', '1000'],
    quickFlags: ['--database', 'sqlite', ...HTTP_QUICK],
    figures: [
      ...SCENARIOS.map((name) => ({
        ...ratio(`${name} on SQLite`, `${name} 10000`, { min: 1 }),
        why: SMALL_READ,
      })),
      ratio('refresh on SQLite, to bare Express that is not durable', 'refresh not durable 10000', {
        min: 0.85,
      }),
    ],
  },
  'http-postgres': {
    file: 'packages/server/bench/http.mjs',
    flags: ['--database', 'postgres', '--rounds', '7', '--round-ms', '1000'],
    quickFlags: ['--database', 'postgres', ...HTTP_QUICK],
    figures: SCENARIOS.map((name) => ({
      ...ratio(`${name} on PostgreSQL`, `${name} 10000`, { min: 0.85 }),
      ...(name === 'provision-external' && { why: SOCKET_WRITES }),
    })),
  },
  growth: {
    file: 'packages/server/bench/http.mjs',
    flags: ['--only', 'userinfo,refresh', '--rows', '10000,10000000', '--rounds', '7'],
    quickFlags: ['--only', 'userinfo,refresh', ...HTTP_QUICK, '--rows', '1000,2000'],
    figures: ['userinfo', 'refresh'].map((name) =>
      ratio(`${name}: median at 10 million rows to that at 10 thousand`, `${name} growth 10000000`, {
        max: 1.5,
      }),
    ),
  },
  gate: {
    file: 'packages/express/bench/gate.mjs',
    quickFlags: ['--rounds', '1'],
    figures: [
      { ...ratio('session in a sealed cookie', 'cookieRatio', { min: 0.8 }), why: EVERY_GATE },
      ratio('session in a sealed cookie, processor time', 'cookieCpuRatio'),
      {
        ...ratio('session in Redis', 'redisRatio', { min: 0.65 }),
        why: 'Each request reads its session with one GET and nothing else. In a profile, the Redis client, its socket and garbage collection take most of the difference. Our code for sessions takes less than a tenth of the processor time.',
      },
      ratio('session in Redis, processor time', 'redisCpuRatio'),
      ...[
        ['bare route, processor time in µs', 'bare'],
        ['+ cookie, two empty handlers, two headers', 'plain'],
        ['+ gate with a sealed cookie', 'cookie'],
        ['or + GET by connect-redis, a shorter cookie', 'get'],
        ['+ gate with Redis', 'redis'],
      ].map(([what, name]) => ({ what, name: `${name}Microseconds`, digits: 1 })),
    ],
  },
  webhook: {
    file: 'packages/express/bench/webhook.mjs',
    quickFlags: ['--rounds', '1'],
    figures: [
      ratio('signature of 1 kB', 'verify1024Ratio', { min: 0.9 }),
      ratio('signature of 64 kB', 'verify65536Ratio', { min: 0.9 }),
      ratio('signature and JSON of 1 kB', 'read1024Ratio'),
      ratio('signature and JSON of 64 kB', 'read65536Ratio'),
    ],
  },
  'widget-size': {
    file: 'packages/widget/bench/size.mjs',
    figures: [
      {
        what: '`latchkey.js`, kB after brotli',
        name: 'latchkey.js',
        budget: { max: sizes['latchkey.js'] / 1000 },
        digits: 1,
      },
      {
        what: '`latchkey-sign-in.js`, kB after brotli',
        name: 'latchkey-sign-in.js',
        budget: { max: sizes['latchkey-sign-in.js'] / 1000 },
        digits: 1,
      },
      {
        what: '`latchkey-all.js`, kB after brotli',
        name: 'latchkey-all.js',
        budget: { max: sizes['latchkey-all.js'] / 1000 },
        digits: 1,
      },
      ...[
        ['elements', 'widget/elements'],
        ['Lit', 'lit'],
        ['oauth4webapi', 'oauth4webapi'],
        ['session', 'widget/session'],
        ['`@latchkey/oauth`', 'oauth'],
        ['sign-in', 'widget/sign-in'],
        ['state', 'widget/state'],
        ['English texts', 'widget/messages'],
      ].map(([what, name]) => ({ what: `part: ${what}`, name: `part ${name}`, digits: 1 })),
    ],
  },
  'widget-sign-in': {
    file: 'packages/widget/bench/sign-in.mjs',
    flags: ['--rounds', '15'],
    quickFlags: ['--rounds', '1'],
    figures: [
      {
        ...ratio('script evaluation, processor slowed 4 times', 'evaluationRatio', { max: 2.5 }),
        why: 'A third of the script is Lit as it is published, and the rest draws two elements. The floor is one plain button.',
      },
      ratio('page to a button that can be pressed', 'interactiveRatio'),
      ratio('click to the popup’s first request', 'popupRatio'),
      ratio('callback page to the signed-in event', 'finishRatio'),
      {
        what: 'requests before the click, beyond its own scripts',
        name: 'requestsBeforeClick',
        budget: { max: 0 },
        digits: 0,
      },
      {
        what: 'requests one after the other, after the callback page',
        name: 'requestSteps',
        budget: { max: 3 },
        digits: 0,
      },
    ],
  },
};

/** Benchmarks without a budget: `npm run bench` does not run them, and the page names them. */
export const OTHER_BENCHMARKS = [
  'packages/console/bench/scroll.mjs',
  'packages/sandbox/bench/move-clock.mjs',
  'packages/server/bench/deletions.mjs',
  'packages/server/bench/fan-out.mjs',
  'packages/server/bench/load-model.mjs',
  'packages/server/bench/partitions.mjs',
  'packages/server/bench/purge.mjs',
  'packages/server/bench/seller-lists.mjs',
];

/** @returns {Figure} */
function ratio(what, name, budget) {
  return { what, name, ...(budget && { budget }) };
}
