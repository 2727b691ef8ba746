// Measures what the widget costs a page, in comparison with the floor: a plain button with hand-written fetches that signs
// in the same way. Both run by turns in one Chromium with its processor slowed down four times. Times are medians, and only
// their ratio counts. The run fails if the widget sends more requests than the limits allow.
//
//   npm run build && node packages/widget/bench/sign-in.mjs [--rounds 15] [--json figures.json]
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { spread, spreadText, writeFigures } from '../../../scripts/bench/measured.mjs';
import { CHROMIUM_ARGS, ensureChromium } from '../../../scripts/chromium.mjs';
import { startSites } from './service.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, json: { type: 'string' } },
});
const ROUNDS = Number(values.rounds);
const SLOWDOWN = 4;
/** Delay of each response, in milliseconds: a service nearby. */
const LATENCY = 20;
const STEPS_MAX = 3;

const CONTESTANTS = {
  widget: {
    path: '/widget',
    script: '/widget/latchkey.js',
    part: '/widget/latchkey-sign-in.js',
    signedIn: 'latchkey-signed-in',
    button: `document.querySelector('latchkey-login').shadowRoot?.querySelector('button')`,
    markup: '<latchkey-login client-id="oac_0123456789abcdef01234567"></latchkey-login>',
  },
  floor: {
    path: '/floor',
    script: '/floor.js',
    signedIn: 'signed-in',
    button: `[document.querySelector('button')].find((button) => button.onclick)`,
    markup: '<button>Sign in</button>',
  },
};

const sites = await startSites({
  latency: LATENCY,
  pages: Object.fromEntries(
    Object.values(CONTESTANTS).map((one) => [one.path, (service) => pageOf(one, service)]),
  ),
  scripts: {
    '/floor.js': new URL('floor.js', import.meta.url),
    '/floor-callback.js': new URL('floor-callback.js', import.meta.url),
  },
});
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: CHROMIUM_ARGS,
  ignoreDefaultArgs: ['--disable-popup-blocking'],
});
try {
  report(await measure());
} finally {
  await browser.close();
  await sites.close();
}

async function measure() {
  const results = { widget: [], floor: [] };
  // The first round warms up the browser and is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, contestant] of Object.entries(CONTESTANTS)) {
      const result = { ...(await signIn(contestant)), evaluation: await evaluation(contestant) };
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

/** Signs in once, from an empty cache to the signed-in event. */
async function signIn({ path, script, part, button }) {
  const context = await browser.newContext();
  context.on('page', slowDown);
  const page = await context.newPage();
  await slowDown(page);
  sites.requests.length = 0;
  await page.goto(`${sites.shopUrl}${path}`);
  const { interactive } = await marks(page, 'interactive');
  // A visitor does not click within the milliseconds in which the page loads the rest of its script.
  await arrived(part);
  const before = sites.requests.filter(({ path: asked }) => asked !== script && asked !== part).length;

  await (await page.evaluateHandle(button)).asElement().click();
  const { clicked, signedIn } = await marks(page, 'signedIn');
  const [authorize, callback] = ['/oauth/authorize', '/widget/callback/'].map((start) =>
    sites.requests.find((request) => request.path.startsWith(start)),
  );
  const calls = sites.requests.filter(
    (request) => request.receivedAt > callback.answeredAt && /^\/oauth\//.test(request.path),
  );
  await context.close();
  return {
    before,
    interactive,
    popup: authorize.receivedAt - clicked,
    finish: signedIn - callback.answeredAt,
    calls: calls.filter(({ method }) => method !== 'OPTIONS').map(({ path }) => path.split('/')[2]),
    steps: sequentialSteps(calls.filter(({ method }) => method !== 'OPTIONS')),
    roundTrips: sequentialSteps(calls),
  };
}

/**
 * Returns the processor time of the page's main thread for evaluating the script, compilation included, in milliseconds. The
 * browser traces it. Processor time, unlike elapsed time, does not depend on the other processes of the machine.
 */
async function evaluation({ path, script }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await slowDown(page);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8'] });
  await page.goto(`${sites.shopUrl}${path}`);
  await marks(page, 'interactive');
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await context.close();
  const evaluations = traceEvents.filter(
    ({ name, ph, args }) => name === 'EvaluateScript' && ph === 'X' && args.data?.url?.endsWith(script),
  );
  if (evaluations.length !== 1) throw new Error(`${script} was evaluated ${evaluations.length} times.`);
  return evaluations[0].tdur / 1000;
}

/** Waits until the service has sent a file. */
async function arrived(path) {
  while (path && !sites.requests.some((request) => request.path === path && request.answeredAt))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

async function slowDown(page) {
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  } catch (error) {
    // The popup closed before it could be slowed down.
    if (!page.isClosed()) throw error;
  }
}

async function marks(page, name) {
  await page.waitForFunction((wanted) => window.marks[wanted] !== undefined, name);
  return page.evaluate(() => window.marks);
}

/** Returns a page that records when its button is ready, when it is clicked, and when the user is signed in. */
function pageOf({ markup, script, button, signedIn }, service) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>
<script>
window.marks = {};
const clock = () => performance.timeOrigin + performance.now();
const look = () => {
  const button = document.body && ${button};
  if (button && button.getBoundingClientRect().width > 0) marks.interactive = performance.now();
  else requestAnimationFrame(look);
};
addEventListener('DOMContentLoaded', look);
addEventListener('click', ({ timeStamp }) => { marks.clicked = performance.timeOrigin + timeStamp; }, true);
addEventListener('${signedIn}', () => { marks.signedIn = clock(); });
</script>
<h1>A shop</h1>${markup}
<script src="${service}${script}"${script === '/floor.js' ? '' : ' defer'}></script></html>`;
}

/** Returns the length of the longest chain of requests in which each starts after the one before ended. */
function sequentialSteps(requests) {
  let steps = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const request of requests.toSorted((a, b) => a.answeredAt - b.answeredAt)) {
    if (request.receivedAt < end) continue;
    steps += 1;
    end = request.answeredAt;
  }
  return steps;
}

function report({ widget, floor }) {
  const figures = {};
  console.log(
    `${ROUNDS} rounds, processor ${SLOWDOWN} times slower, ${LATENCY} ms for each response; medians in ms\n`,
  );
  console.log(`${''.padEnd(36)}${'widget'.padStart(8)}${'floor'.padStart(8)}   ratio`);
  for (const [key, name] of [
    ['evaluation', 'script evaluation'],
    ['interactive', 'page to a button that can be pressed'],
    ['popup', 'click to the popup’s first request'],
    ['finish', 'callback page to the signed-in event'],
  ]) {
    const [ours, theirs] = [widget, floor].map((results) => median(results.map((result) => result[key])));
    figures[`${key}Ratio`] = spread(widget.map((result, round) => result[key] / floor[round][key]));
    const ratio = spreadText(figures[`${key}Ratio`]);
    console.log(
      `${name.padEnd(36)}${ours.toFixed(1).padStart(8)}${theirs.toFixed(1).padStart(8)}   ${ratio}`,
    );
  }
  const before = Math.max(...widget.map((result) => result.before));
  // A busy machine can make a chain longer, never shorter.
  const fewest = (results, key) => Math.min(...results.map((result) => result[key]));
  const steps = fewest(widget, 'steps');
  console.log(`\nrequests before the click, beyond its own scripts: ${before} (limit 0)`);
  console.log(`requests after the callback page: ${widget[0].calls.join(', ')}`);
  console.log(`  one after the other: ${steps} (limit ${STEPS_MAX}); floor ${fewest(floor, 'steps')}`);
  console.log(
    `  with the browser’s own preflights: ${fewest(widget, 'roundTrips')}; floor ${fewest(floor, 'roundTrips')}`,
  );
  figures.requestsBeforeClick = spread([before]);
  figures.requestSteps = spread([steps]);
  writeFigures(values.json, figures);
  if (before > 0 || steps > STEPS_MAX) {
    console.error('\nMore requests than the budget allows.');
    process.exitCode = 1;
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
