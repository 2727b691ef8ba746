import { html } from '../html.js';
import { roastCurve } from './roast-curve.js';
import { roastLog, thisWeeksLot } from './roast-log.js';
import { type PageFrame, shopLayout } from './shop-layout.js';

/** The fields of a membership that the page shows. */
export interface ListedMembership {
  productType?: string | undefined;
  validFrom?: string | undefined;
  validUntil?: string | null;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The members' page. It is rendered only behind the gate. */
export function tablePage(frame: PageFrame, memberships: readonly ListedMembership[]): string {
  const { recipe } = thisWeeksLot;
  return shopLayout(
    frame,
    html`      <div class="page-head">
        <div class="wrap">
          <p class="greeting">Your place is laid, ${frame.signedInAs ?? 'member'}</p>
          <h1>This week’s table: lot ${thisWeeksLot.lot}, ${thisWeeksLot.name}</h1>
          <p class="lede">${thisWeeksLot.origin}. ${thisWeeksLot.process} process, ${thisWeeksLot.kilos} kilos, roasted on Friday. One bag a seat is yours until Sunday night.</p>
        </div>
      </div>
      <div class="section">
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
            <div class="card">
              <h2>The next table</h2>
              <p>${thisWeeksLot.nextTable}. Ring twice; the shop will look closed.</p>
            </div>
            <div class="card">
              <h2>Your memberships</h2>
              <dl class="perks">
                ${memberships.map(
                  ({ productType = 'membership', validFrom, validUntil }) => html`<div>
                  <dt>${productType.replaceAll('_', ' ')}</dt>
                  <dd>${validFrom ? html`since ${day.format(new Date(validFrom))}, ` : ''}${validUntil ? html`until ${day.format(new Date(validUntil))}` : 'for good'}</dd>
                </div>`,
                )}
              </dl>
            </div>
          </div>
        </div>
        <div class="wrap">
          <p class="footnote">The server checked your membership before it sent this page. Nobody without one has received a word of it, nor of <a href="/api/table">its JSON twin</a>.</p>
        </div>
      </div>`,
  );
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
