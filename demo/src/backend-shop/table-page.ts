import { type Html, html } from '../html.js';
import { roastCurve } from './roast-curve.js';
import { roastLog, thisWeeksLot } from './roast-log.js';
import { type PageFrame, shopLayout } from './shop-layout.js';
import { type ListedMembership, nameOfMembership, periodOf } from './site-memberships.js';

/** Content of the members' page that differs between members. */
export interface TableView {
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
