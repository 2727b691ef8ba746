import type { Live } from '../api/live.js';

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  ...{ hourCycle: 'h23', timeZone: 'UTC' },
});

/** Milliseconds between two updates of the shown time. It shows minutes. */
const TICK_MS = 5000;

/**
 * Keeps the service's time at the top of the page. The time runs with the machine's clock, and jumps when it is moved.
 *
 * @param serviceTime time when the page was made, in milliseconds since the epoch.
 */
export function followServiceTime(serviceTime: number, live: Live): void {
  const element = document.querySelector<HTMLTimeElement>('#service-time time');
  if (element === null) return;
  let ahead = serviceTime - Date.now();
  const show = () => {
    const date = new Date(Date.now() + ahead);
    element.dateTime = date.toISOString();
    element.textContent = `${FORMAT.format(date)} UTC`;
  };
  setInterval(show, TICK_MS);
  live.subscribe(({ type, data }) => {
    if (type !== 'clock' && type !== 'reset') return;
    const { serviceTime: moved } = data as { serviceTime: string };
    ahead = Date.parse(moved) - Date.now();
    show();
  });
}
