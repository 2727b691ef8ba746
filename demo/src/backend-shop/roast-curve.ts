import { type Html, html } from '../html.js';
import type { RoastReading } from './roast-log.js';

const WIDTH = 560;
const HEIGHT = 300;
const LEFT = 48;
const TOP = 16;
const BOTTOM = 32;
const COOLEST = 70;
const HOTTEST = 220;

/** A drawing of the bean temperature during the roast. The table below it lists the same moments. */
export function roastCurve(readings: readonly RoastReading[]): Html {
  const end = readings.at(-1)?.minute ?? 1;
  const x = (minute: number) => Math.round(LEFT + (minute / end) * (WIDTH - LEFT - 12));
  const y = (celsius: number) =>
    Math.round(TOP + ((HOTTEST - celsius) / (HOTTEST - COOLEST)) * (HEIGHT - TOP - BOTTOM));
  const points = readings.map(({ minute, celsius }) => `${x(minute)},${y(celsius)}`).join(' ');
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Bean temperature from ${readings[0]?.celsius ?? 0} °C at the start, down to the turning point and up to ${readings.at(-1)?.celsius ?? 0} °C">
              ${[100, 140, 180, 220].map(
                (
                  celsius,
                ) => html`<line class="axis" x1="${LEFT}" x2="${WIDTH}" y1="${y(celsius)}" y2="${y(celsius)}"/>
              <text x="${LEFT - 10}" y="${y(celsius) + 4}" text-anchor="end">${celsius}</text>`,
              )}
              ${[0, 2, 4, 6, 8, 10].map(
                (minute) =>
                  html`<text x="${x(minute)}" y="${HEIGHT - 8}" text-anchor="middle">${minute}</text>`,
              )}
              <polyline class="bean" points="${points}"/>
              ${readings
                .filter(({ note }) => note !== undefined)
                .map(
                  ({
                    minute,
                    celsius,
                    note,
                  }) => html`<circle class="mark" cx="${x(minute)}" cy="${y(celsius)}" r="5"/>
              ${noteBeside({ x: x(minute), y: y(celsius), note: note ?? '', isLate: minute > end / 1.5 })}`,
                )}
            </svg>`;
}

/** Places a label beside the curve: below and after its mark, or above and before it near the end. */
function noteBeside({ x, y, note, isLate }: { x: number; y: number; note: string; isLate: boolean }): Html {
  return isLate
    ? html`<text class="note" x="${x}" y="${y - 14}" text-anchor="end">${note}</text>`
    : html`<text class="note" x="${x + 12}" y="${y + 18}">${note}</text>`;
}
