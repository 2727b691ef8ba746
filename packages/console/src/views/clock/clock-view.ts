import type { ClockMove, ClockPreset, Happening } from '@latchkey/sandbox';
import type { ControlAnswer, ControlInput } from '@latchkey/sandbox/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import { distanceText, instantText } from '../../parts/instant-text.js';
import { toolStyles } from '../../parts/tool.styles.js';
import { ConsoleView } from '../../shell/console-view.js';

type ClockAnswer = ControlAnswer<'GET /clock'>;

/** What the control API calls the points in time that the data offers. `vite.config.ts` puts it here. */
declare const CLOCK_PRESET_WORDS: Readonly<
  Record<ClockPreset['preset'], { readonly name: string; readonly without: string }>
>;

const STEPS = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['1w', '1 week'],
  ['1mo', '1 month'],
] as const;

const SHOWN = 100;

/**
 * Moves the clock: by presets from the data, by steps, to an instant or to a membership's end. Shows what happened
 * during the last move.
 */
@customElement('console-clock')
export class ClockView extends ConsoleView {
  static override styles = [baseStyles, toolStyles];
  protected override readonly reloadsAfter = ['connected', 'clock', 'reset', 'data', 'request'];
  @state() private _clock: ClockAnswer | undefined;
  @state() private _isMoving = false;
  @state() private _shown = SHOWN;

  override async load(): Promise<void> {
    const clock = await this.latest(() => this.api.call('GET /clock'));
    if (clock !== undefined) this._clock = clock;
  }

  async #move(target: ControlInput<'POST /clock'>): Promise<void> {
    this._isMoving = true;
    this._shown = SHOWN;
    const moved = await this.attempt(() => this.api.call('POST /clock', target));
    this._isMoving = false;
    if (moved === undefined) return;
    this.announce(`The clock is at ${instantText(moved.serviceTime)}. ${countText(moved.total)}.`);
    await this.load();
  }

  #moveTo(event: SubmitEvent): void {
    event.preventDefault();
    const text = String(new FormData(event.target as HTMLFormElement).get('instant'));
    const instant = new Date(`${text}Z`);
    if (Number.isNaN(instant.getTime())) this.report(new Error('Enter a date and a time.'));
    else void this.#move({ instant: instant.toISOString() });
  }

  #moveToMembership(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const membershipId = String(form.get('membership')).trim();
    const isRenewal = (event.submitter as HTMLButtonElement | null)?.value === 'renewal';
    void this.#move({ membershipId, to: isRenewal ? 'renewal' : 'end' });
  }

  protected override render(): TemplateResult {
    const clock = this._clock;
    if (clock === undefined) return html`<p class="muted loading">Loading…</p>`;
    return html`<div class="columns">
      <div class="stack">
        ${this.#presets(clock)} ${this.#steps(clock)} ${this.#membership()}
      </div>
      ${this.#result(clock)}
    </div>`;
  }

  #presets({ presets, serviceTime }: ClockAnswer): TemplateResult {
    return html`<section class="panel" aria-labelledby="presets-heading">
      <h2 id="presets-heading">Move to what the data offer</h2>
      <ul class="rows">
        ${presets.map(
          ({ preset, at, label }) => html`<li class="entry">
            <div class="entry-text">
              ${
                at === null
                  ? html`<p class="muted">${CLOCK_PRESET_WORDS[preset].without}</p>`
                  : html`<p><time datetime=${at}>${instantText(at)}</time> <b>${distanceText(serviceTime, at)}</b></p>
                    <p class="muted"><bdi>${label}</bdi></p>`
              }
            </div>
            <button class="button secondary small"
              type="button"
              ?disabled=${at === null || this._isMoving}
              @click=${() => this.#move({ preset })}
            >
              ${CLOCK_PRESET_WORDS[preset].name}
            </button>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #steps({ serviceTime, aheadMs }: ClockAnswer): TemplateResult {
    return html`<section class="panel stack" aria-labelledby="steps-heading">
      <h2 id="steps-heading">Move by a step, or to an instant</h2>
      <p class="muted">${aheadMs === 0 ? 'The clock runs with the machine.' : html`The clock is ahead of the machine: <b>${aheadText(aheadMs)}</b>. A <a href="/sandbox/snapshots">reset</a> sets it back.`}</p>
      <div class="row">
        ${STEPS.map(
          ([duration, label]) => html`<button class="button secondary small"
            type="button"
            ?disabled=${this._isMoving}
            @click=${() => this.#move({ duration })}
          >
            +${label}
          </button>`,
        )}
      </div>
      <form class="field" @submit=${this.#moveTo}>
        <label for="instant">Instant in UTC, up to ten years ahead</label>
        <div class="row">
          <input
            id="instant"
            name="instant"
            type="datetime-local"
            required
            min=${serviceTime.slice(0, 16)}
            value=${serviceTime.slice(0, 16)}
          />
          <button class="button secondary small" ?disabled=${this._isMoving}>Move to this instant</button>
        </div>
      </form>
    </section>`;
  }

  #membership(): TemplateResult {
    return html`<form class="panel form" aria-labelledby="membership-heading" @submit=${this.#moveToMembership}>
      <h2 id="membership-heading">Move with one membership</h2>
      <div class="field">
        <label for="membership">Membership id</label>
        <input
          id="membership"
          name="membership"
          required
          autocomplete="off"
          spellcheck="false"
          .value=${this.place.get('membership')}
        />
        <p class="muted">The page <a href="/sandbox/data">Data</a> lists all memberships.</p>
      </div>
      <div class="row">
        <button class="button secondary small" name="to" value="end" ?disabled=${this._isMoving}>To its end</button>
        <button class="button secondary small" name="to" value="renewal" ?disabled=${this._isMoving}>To its next renewal</button>
      </div>
    </form>`;
  }

  #result({ lastMove }: ClockAnswer): TemplateResult {
    return html`<section class="panel" aria-labelledby="result-heading" aria-busy=${this._isMoving}>
      <h2 id="result-heading">What happened</h2>
      ${
        lastMove === null
          ? html`<p class="muted">Nothing yet: move the clock. Everything that is due in between happens in order and is listed here.</p>`
          : html`<p class="muted">
              <time datetime=${lastMove.from}>${instantText(lastMove.from)}</time> to
              <time datetime=${lastMove.serviceTime}>${instantText(lastMove.serviceTime)}</time> ·
              ${countText(lastMove.total)}
            </p>
            ${this.#happened(lastMove)}`
      }
    </section>`;
  }

  #happened({ happened, total }: ClockMove): TemplateResult {
    const shown = happened.slice(0, this._shown);
    return html`<ol class="rows">
        ${shown.map(({ kind, id, at, label }) => {
          const [place, href] = PLACES[kind] ?? [];
          return html`<li class="entry">
            <div class="entry-text">
              <p><time class="muted" datetime=${at}>${instantText(at)}</time></p>
              <p><bdi>${label}</bdi></p>
            </div>
            ${href === undefined ? nothing : html`<a href="${href}${encodeURIComponent(id)}">${place}<span class="visually-hidden"> ${id}</span></a>`}
          </li>`;
        })}
      </ol>
      ${
        shown.length < happened.length
          ? html`<button class="button secondary small"
              type="button"
              @click=${() => {
                this._shown += SHOWN * 2;
              }}
            >
              Show more
            </button>`
          : nothing
      }
      ${total > happened.length ? html`<p class="muted">And ${total - happened.length} more, which are not listed.</p>` : nothing}`;
  }
}

function countText(total: number): string {
  if (total === 0) return 'Nothing was due in between';
  return total === 1 ? '1 thing happened' : `${total.toLocaleString('en')} things happened`;
}

function aheadText(ms: number): string {
  // A move takes some milliseconds of real time, so a step of a day is a little less ahead.
  const total = Math.round(ms / 60_000);
  const days = Math.floor(total / (24 * 60));
  const hours = Math.floor(total / 60) % 24;
  const minutes = total % 60;
  const parts = [
    days > 0 && `${days} d`,
    hours > 0 && `${hours} h`,
    days === 0 && minutes > 0 && `${minutes} min`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'less than a minute' : parts.join(' ');
}

/** Pages with what happenings are about, by kind. A sign-in code has none. */
const PLACES: Readonly<Record<Happening['kind'], readonly [label: string, href: string] | undefined>> = {
  event: ['Event', '/sandbox/webhooks?id='],
  delivery: ['Delivery', '/sandbox/webhooks?text='],
  'membership-end': ['Membership', '/sandbox/data?kind=memberships&id='],
  'membership-start': ['Membership', '/sandbox/data?kind=memberships&id='],
  renewal: ['Membership', '/sandbox/data?kind=memberships&id='],
  'drop-start': ['Drop', '/sandbox/data?kind=drops&id='],
  'drop-end': ['Drop', '/sandbox/data?kind=drops&id='],
  'access-token-expiry': ['Client', '/sandbox/data?kind=clients&id='],
  'refresh-token-expiry': ['Client', '/sandbox/data?kind=clients&id='],
  'code-expiry': undefined,
};
