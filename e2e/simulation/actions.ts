import type { Network } from './network.ts';
import type { Action } from './schedule.ts';
import type { SimulatedBrowser } from './simulated-browser.ts';
import type { Tab, Tabs } from './tabs.ts';
import type { VirtualTime } from './virtual-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Steps of the network: each request arrives, and its response arrives or is lost. */
export function networkActions({ roundTrips, ...network }: Network): Action[] {
  return roundTrips.flatMap((roundTrip) => {
    const { number, url, state } = roundTrip;
    const name = `#${number} ${url.pathname}`;
    const lose = { name: `lose ${name} (${state})`, weight: 1, run: () => network.lose(roundTrip) };
    if (state === 'handled') return [lose];
    return state === 'sent'
      ? [{ name: `execute ${name}`, weight: 14, run: () => network.execute(roundTrip) }, lose]
      : [{ name: `deliver ${name}`, weight: 14, run: () => network.deliver(roundTrip) }, lose];
  });
}

/** Steps of the browser: a message reaches a tab, a lock is granted. */
export function browserActions(browser: SimulatedBrowser): Action[] {
  const [message] = browser.messages;
  const [lock] = browser.grantable();
  return [
    ...(message
      ? [
          {
            name: `message to ${message.to.page.name}`,
            weight: 10,
            run: () => browser.deliverMessage(message),
          },
        ]
      : []),
    ...(lock ? [{ name: `lock for ${lock.page.name}`, weight: 10, run: () => lock.grant() }] : []),
  ];
}

/** Ways in which the time of a simulation passes. */
export interface Passing {
  runNext(): Promise<void> | void;
  /** Lets time pass with its timers. */
  pass(ms: number): Promise<void>;
  /** The user's computer sleeps. */
  sleep(ms: number): Promise<void> | void;
}

/** Steps of the time: a timer runs, time passes with its timers, the computer sleeps. */
export function timeActions(time: VirtualTime, tabs: Tabs, { runNext, pass, sleep }: Passing): Action[] {
  const timer = { name: 'run the next timer', weight: 6, run: () => runNext() };
  const passing = (ms: number) => ({ name: `wait ${ms / SECOND} s`, weight: 1, run: () => pass(ms) });
  const sleeping = (ms: number) => ({ name: `sleep ${ms / SECOND} s`, weight: 1, run: () => sleep(ms) });
  return [
    ...(time.next() === undefined ? [] : [timer]),
    passing(5 * SECOND),
    // A page with an open popup looks at it several times a second, so an hour would take thousands of steps.
    ...(tabs.areIdle ? [passing(59 * MINUTE), passing(59 * MINUTE)] : []),
    sleeping(2 * HOUR),
  ];
}

/** Steps of the user on one page. */
export function userActions(tabs: Tabs, tab: Tab, signOut: (tab: Tab) => Promise<void>): Action[] {
  const { page, session } = tab;
  const { name } = page;
  const { status, signedIn } = session.snapshot;
  const ignore = (work: Promise<unknown>) => void work.catch(() => undefined);
  return [
    ...(signedIn
      ? []
      : [
          {
            name: `${name} clicks sign in`,
            weight: status === 'waiting' ? 1 : 4,
            run: () => tabs.signIn(tab),
          },
        ]),
    { name: `${name} signs out`, weight: signedIn ? 3 : 1, run: () => signOut(tab) },
    { name: `${name} refreshes`, weight: signedIn ? 5 : 1, run: () => ignore(session.refresh()) },
    ...(signedIn && session.backend === undefined
      ? [{ name: `${name} gets the access token`, weight: 2, run: () => ignore(session.getAccessToken()) }]
      : []),
    ...(status === 'waiting' || status === 'exchanging'
      ? [{ name: `${name} cancels`, weight: 1, run: () => session.cancel() }]
      : []),
    { name: `${name} is shown`, weight: 2, run: () => page.dispatch('document', 'visibilitychange') },
    { name: `${name} is online`, weight: 1, run: () => page.dispatch('window', 'online') },
    { name: `${name} reloads`, weight: 1, run: () => tabs.reload(tab) },
    ...(tabs.list.length > 1 ? [{ name: `${name} closes`, weight: 1, run: () => tabs.close(tab) }] : []),
  ];
}

/** Steps of the open popups: each answers, perhaps late, or is closed. */
export function popupActions(tabs: Tabs): Action[] {
  return tabs.popups.flatMap((opened) => {
    const { popup, attempt } = opened;
    const { url, page } = popup;
    if (url === undefined) return [];
    const answer = {
      name: `popup ${attempt} answers ${page.name}`,
      weight: 8,
      run: () => tabs.answer(opened),
    };
    const close = {
      name: `popup ${attempt} of ${page.name} closes`,
      weight: 1,
      run() {
        popup.closed = true;
      },
    };
    return popup.closed ? [{ ...answer, weight: 2 }] : [answer, close];
  });
}
