import type { DataRecord, RecordKind } from '@latchkey/sandbox';
import type { ControlAnswer } from '@latchkey/sandbox/client';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-copy.js';
import { KIND_OF_FIELD, wordingOf } from './record-kinds.js';

/** A record with what belongs to it. */
export type FoundRecord = ControlAnswer<'GET /data/{kind}/{id}'>;

export function addressOf(query: Readonly<Record<string, string>>): string {
  return `${location.pathname}?${new URLSearchParams(query)}`;
}

/**
 * All fields of a record, with links to what belongs to it.
 *
 * @fires record-edit - The visitor wants to change it.
 * @fires record-end - The visitor wants to end it.
 */
@customElement('record-detail')
export class RecordDetail extends LitElement {
  static override styles = [
    baseStyles,
    css`
      section {
        display: grid;
        gap: 0.875rem;
      }
      h2 {
        overflow-wrap: anywhere;
      }
      dl {
        display: grid;
        grid-template-columns: minmax(7rem, auto) minmax(0, 1fr);
        gap: 0.375rem 1rem;
        align-items: center;
      }
      dt {
        color: var(--muted);
      }
      dd {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.5rem;
        align-items: center;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
      ul.row a {
        display: inline-flex;
        align-items: center;
        min-block-size: 1.75rem;
      }
      .logo {
        inline-size: 2.5rem;
        block-size: 2.5rem;
        object-fit: contain;
      }
      form {
        display: contents;
      }
      @media (max-width: 30rem) {
        dl {
          grid-template-columns: minmax(0, 1fr);
          gap: 0 0;
        }
        dd {
          margin-block-end: 0.5rem;
        }
      }
    `,
  ];

  @property() kind!: RecordKind;
  @property({ attribute: false }) found!: FoundRecord;

  protected override render(): TemplateResult {
    const { record, labels, related } = this.found;
    const wording = wordingOf(this.kind);
    const heading = wording.title(record, labels);
    return html`<section aria-labelledby="heading">
      <h2 id="heading" tabindex="-1"><bdi>${heading}</bdi></h2>
      <div class="row">
        ${
          wording.fixed === undefined
            ? html`<button class="button secondary small" type="button" @click=${() => this.dispatchEvent(new Event('record-edit'))}>Edit</button>`
            : nothing
        }
        ${
          wording.end === undefined
            ? nothing
            : html`<button type="button" class="button danger small" @click=${() => this.dispatchEvent(new Event('record-end'))}>
                ${wording.end.button}
              </button>`
        }
        ${this.#signIns().map(
          ({ email, to, label }) => html`<form method="post" action="/sandbox/sign-in">
            <input type="hidden" name="email" value=${email} />
            <input type="hidden" name="continue" value=${to} />
            <button class="button secondary small">${label}</button>
          </form>`,
        )}
        ${this.#page()}
      </div>
      ${wording.fixed === undefined ? nothing : html`<p class="muted">${wording.fixed}</p>`}
      <dl>${Object.entries(record).map(([field, value]) => this.#row(field, value))}</dl>
      ${
        related.length === 0
          ? nothing
          : html`<h3>Related records</h3>
            <ul class="row" aria-label="Related records">
              ${related.map(
                ({ kind, field, count }) => html`<li>
                  <a href=${addressOf({ kind, [field]: String(record.id) })}>${wordingOf(kind).label} ${count}</a>
                </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  #row(field: string, value: unknown): TemplateResult {
    return html`<dt>${wordsOf(field)}</dt><dd>${this.#value(field, value)}</dd>`;
  }

  #value(field: string, value: unknown): TemplateResult {
    if (value === null || value === '') return html`<span class="muted">none</span>`;
    if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`;
    if (Array.isArray(value)) {
      return value.length === 0
        ? html`<span class="muted">none</span>`
        : html`<ul>${value.map((item) => html`<li><code>${item}</code></li>`)}</ul>`;
    }
    const text = String(value);
    const kind = KIND_OF_FIELD[field];
    if (kind !== undefined) {
      const label = this.found.labels[text] ?? text;
      return html`<a href=${addressOf({ kind, id: text })}><bdi>${label}</bdi></a>${copyOf(field, text)}`;
    }
    if (text.startsWith('data:image/'))
      return html`<img class="logo" src=${text} alt="" /> <span class="muted">data URL</span>`;
    const isCopied = /id$/i.test(field) || ['email', 'url', 'slug'].includes(field);
    const shown = /(?:At|From|Until|Since)$/.test(field)
      ? html`<time datetime=${text} dir="ltr">${text.slice(0, 16).replace('T', ' ')} UTC</time>`
      : html`<bdi>${text}</bdi>`;
    return isCopied ? html`<code>${text}</code>${copyOf(field, text)}` : shown;
  }

  /** Returns the buttons that sign in as the user, or as the owner on the page that administers the record. */
  #signIns() {
    const { record, labels } = this.found;
    if (this.kind === 'users') {
      return typeof record.email === 'string'
        ? [{ email: record.email, to: '/account', label: 'Sign in as this user' }]
        : [];
    }
    const owner = labels[String(record.ownerId)];
    const pages: Readonly<Partial<Record<RecordKind, string>>> = {
      clients: `/developer/clients/${String(record.id)}`,
      keys: '/developer/api-keys',
      webhooks: `/developer/webhooks/${String(record.id)}`,
    };
    const to = pages[this.kind];
    if (to === undefined || owner?.includes('@') !== true) return [];
    return [{ email: owner, to, label: 'Open in the developer area' }];
  }

  #page(): TemplateResult | typeof nothing {
    const { id } = this.found.record;
    if (this.kind !== 'communities' && this.kind !== 'products') return nothing;
    return html`<a class="button" href="/${this.kind}/${String(id)}">Open its page</a>`;
  }
}

function copyOf(field: string, text: string): TemplateResult {
  return html`<console-copy icon text=${text} name=${wordsOf(field)}></console-copy>`;
}

/** Returns a field's name as words: `validUntil` is "valid until". */
function wordsOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A value that only the response to a change contains. */
export type ShownOnce = readonly [label: string, text: string];

const LABELS: Readonly<Record<string, string>> = {
  clientSecret: 'Client secret',
  key: 'API key',
  secret: 'Webhook secret',
  checkoutUrl: 'Address of the checkout',
};

export function shownOnce(answer: DataRecord): readonly ShownOnce[] {
  return Object.entries(LABELS).flatMap(([field, label]) =>
    answer[field] === undefined ? [] : [[label, String(answer[field])] as const],
  );
}

export function shownOncePanel(values: readonly ShownOnce[]): TemplateResult | typeof nothing {
  if (values.length === 0) return nothing;
  return html`<section class="panel secrets" aria-label="Shown once">
    <p><strong>Copy this now.</strong> It is not shown again.</p>
    ${values.map(
      ([label, text]) => html`<div class="row">
        <span>${label}</span>
        ${text.startsWith('http') ? html`<a href=${text}><code>${text}</code></a>` : html`<code>${text}</code>`}
        <console-copy icon text=${text} name=${label}></console-copy>
      </div>`,
    )}
  </section>`;
}
