import { type Html, html } from '../html.js';
import { type PageFrame, shopLayout } from './shop-layout.js';
import { type ListedMembership, nameOfMembership, periodOf } from './site-memberships.js';

/** Content of the members' page that differs between members. */
interface TableView {
  readonly memberships: readonly ListedMembership[];
  /** Thanks for a new payment; empty otherwise. */
  readonly welcome: Html;
  /** True if the seat was bought here, so that the service has an invite for its buyer. */
  readonly isBoughtHere: boolean;
}

/** The members' page. It is rendered only behind the gate. */
export function tablePage(frame: PageFrame, { memberships, welcome, isBoughtHere }: TableView): string {
  const { recipe } = thisWeeksLot;
  return shopLayout(
    frame,
    html`      <div class="page-head">
        <div class="wrap">
          <p class="greeting">Your place is laid, <bdi>${frame.signedInAs ?? 'member'}</bdi></p>
          <h1>This week’s table: lot ${thisWeeksLot.lot}, ${thisWeeksLot.name}</h1>
          <p class="lede">${thisWeeksLot.origin}. ${thisWeeksLot.process} process, ${thisWeeksLot.kilos} kilos, roasted on Friday. One bag a seat is yours until Sunday night.</p>
        </div>
      </div>
      <div class="section">
        <div class="wrap stack">
          ${welcome}
        </div>
        <div class="wrap columns">
          <div class="stack">
            <figure class="card curve">
              <h2>How it was roasted</h2>
              ${roastCurve(roastLog)}
              <figcaption>Bean temperature in °C, by minutes since the beans went in.</figcaption>
            </figure>
${logCard()}          </div>
          <div class="stack">
            <div class="card">
              <h2>The recipe</h2>
              <p>${recipe.grams} g to ${recipe.water} g of water at ${recipe.celsius} °C, two pours, no stirring. Stop at ${Math.floor(recipe.seconds / 60)}:${String(recipe.seconds % 60).padStart(2, '0')}, whatever the scale says.</p>
            </div>
${chatCard(isBoughtHere)}            <div class="card">
              <h2>The next table</h2>
              <p>${thisWeeksLot.nextTable}. Ring twice; the shop will look closed.</p>
            </div>
            <div class="card">
              <h2>Your memberships</h2>
              <dl class="perks">
                ${memberships.map(
                  (membership) => html`<div>
                  <dt>${nameOfMembership(membership)}</dt>
                  <dd>${periodOf(membership)}</dd>
                </div>`,
                )}
              </dl>
              <p><a href="/account">Your account</a></p>
            </div>
          </div>
        </div>
        <div class="wrap">
          <p class="footnote">The server checked your membership before it sent this page. Nobody without one has received a word of it, nor of <a href="/api/table">its JSON twin</a>.</p>
        </div>
      </div>`,
  );
}

/** The invite to the chat. The script shows the link itself; without it the button leads there. */
function chatCard(isBoughtHere: boolean): Html {
  const invite = html`<p id="chat-text">Eight people and one kettle. Your invite is for your messenger account only, and is valid for 24 hours.</p>
              <p><a class="button" href="/chat" id="chat-join">Join the chat</a></p>
              <p class="fact" id="chat-state" role="status"></p>`;
  const none = html`<p id="chat-text">Eight people and one kettle. Your seat was not bought in this shop, so ask at the table for an invite.</p>`;
  return html`            <div class="card" id="chat">
              <h2>The chat of the table</h2>
              ${isBoughtHere ? invite : none}
            </div>
`;
}

function logCard() {
  return html`            <div class="card">
              <table class="ledger">
                <caption>Roast log</caption>
                <thead><tr><th scope="col">Minute</th><th scope="col">Beans</th><th scope="col">What happened</th></tr></thead>
                <tbody>
                  ${roastLog
                    .filter(({ note }) => note !== undefined)
                    .map(
                      ({ minute, celsius, note }) =>
                        html`<tr><td>${minute}</td><td class="figure">${celsius} °C</td><td>${note ?? ''}</td></tr>`,
                    )}
                </tbody>
              </table>
            </div>
`;
}

const WIDTH = 560;
const HEIGHT = 300;
const LEFT = 48;
const TOP = 16;
const BOTTOM = 32;
const COOLEST = 70;
const HOTTEST = 220;

/** A drawing of the bean temperature during the roast. The table below it lists the same moments. */
function roastCurve(readings: readonly RoastReading[]): Html {
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

/** One reading: minutes since the start of the roast, and the temperature of the beans. */
interface RoastReading {
  minute: number;
  celsius: number;
  note?: string;
}

/** The lot of the week, for members only. */
export const thisWeeksLot = {
  lot: 31,
  name: 'El Roble',
  origin: 'Guatemala, Huehuetenango',
  process: 'Honey',
  kilos: 9,
  recipe: { grams: 16, water: 260, celsius: 93, seconds: 150 },
  nextTable: 'Friday, half past six, back room, Wren Street 14',
} as const;

/** Readings of the roast. */
export const roastLog: readonly RoastReading[] = [
  { minute: 0, celsius: 196, note: 'Beans in' },
  { minute: 0.4, celsius: 148 },
  { minute: 0.8, celsius: 113 },
  { minute: 1.2, celsius: 96 },
  { minute: 1.5, celsius: 92, note: 'Turning point' },
  { minute: 2, celsius: 97 },
  { minute: 3, celsius: 116 },
  { minute: 4, celsius: 134 },
  { minute: 5, celsius: 150, note: 'Yellow' },
  { minute: 6, celsius: 164 },
  { minute: 7, celsius: 177 },
  { minute: 8, celsius: 188 },
  { minute: 8.7, celsius: 195, note: 'First crack' },
  { minute: 9.3, celsius: 200 },
  { minute: 10, celsius: 206, note: 'Out' },
];
