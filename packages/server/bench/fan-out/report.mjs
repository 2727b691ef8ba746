import { loadavg } from 'node:os';
import { median, ms, ratioOf } from './figures.mjs';

const BUDGET = { delay: 2, api: 1.5, perSecond: 2_000 };

/** Prints the figures of all rounds by phase. Returns the number of budgets that they miss. */
export function report(phases) {
  const { quiet, healthy, mixed, backlog } = phases;
  printPhases(phases);
  const all = [...quiet, ...healthy, ...mixed, ...backlog];
  const perSecond = median(backlog.map(({ deliveries, spent }) => (1000 * deliveries) / spent));
  const statements = median(backlog.map((phase) => phase.statements / phase.deliveries));
  const micros = median(backlog.map((phase) => (1000 * phase.cpuMs) / phase.deliveries));
  const megabytes = Math.max(...all.map((phase) => phase.megabytes));
  // A figure in absolute terms depends on the machine, so missing it is no failure.
  const reached = perSecond >= BUDGET.perSecond ? 'reaches' : 'below';
  console.log(
    `\ndeliveries per second: ${perSecond.toFixed(0)} (${reached} the goal of ${BUDGET.perSecond})\n` +
      `per delivery: ${statements.toFixed(2)} statements, ${micros.toFixed(0)} µs of the process; memory ${megabytes.toFixed(0)} MB`,
  );
  const wrong = sumOf(all, ({ lost, errors }) => lost + errors);
  const doubled = sumOf([...healthy, ...mixed, ...backlog], ({ arrivals }) => arrivals.healthy?.doubled ?? 0);
  return [
    budget(
      'delay with bad endpoints',
      ratioOf(mixed, healthy, ({ arrivals }) => arrivals.healthy.p50),
      BUDGET.delay,
    ),
    budget(
      'API median with deliveries',
      ratioOf(mixed, quiet, ({ api }) => api.p50),
      BUDGET.api,
    ),
    budget(
      'API median during the backlog',
      ratioOf(backlog, quiet, ({ api }) => api.p50),
      BUDGET.api,
    ),
    budget('events lost or doubled, failed requests', wrong + doubled, 0),
  ].filter((isWithin) => !isWithin).length;
}

function printPhases({ quiet, healthy, mixed, backlog }) {
  console.log(`\nmedian of ${quiet.length} rounds, load of the machine ${loadavg()[0].toFixed(1)}`);
  console.log(
    'phase                     deliveries  delay of healthy endpoints p50/p95/p99      API p50/p99   lost  doubled  reordered',
  );
  for (const [name, phase] of [
    ['no deliveries', quiet],
    ['healthy endpoints', healthy],
    ['with bad endpoints', mixed],
    ['backlog', backlog],
  ]) {
    const count = (of) => `${sumOf(phase, ({ arrivals }) => arrivals.healthy?.[of] ?? 0)}`;
    const delay = (of) => ms(median(phase.map(({ arrivals }) => arrivals.healthy[of])));
    const api = (of) => ms(median(phase.map((round) => round.api[of])));
    console.log(
      [
        name.padEnd(24),
        count('count').padStart(11),
        (phase === quiet ? '' : ['p50', 'p95', 'p99'].map(delay).join(' / ')).padStart(36),
        `${api('p50')} / ${api('p99')}`.padStart(20),
        `${sumOf(phase, ({ lost }) => lost)}`.padStart(6),
        count('doubled').padStart(8),
        count('outOfOrder').padStart(10),
      ].join(' '),
    );
  }
}

/** Prints a figure with its limit. Returns true if it is within the limit. */
function budget(name, figure, limit) {
  console.log(`${name}: ${figure.toFixed(2)} (${figure <= limit ? 'within' : 'MISSES'} ${limit})`);
  return figure <= limit;
}

function sumOf(list, figure) {
  return list.reduce((sum, item) => sum + figure(item), 0);
}
