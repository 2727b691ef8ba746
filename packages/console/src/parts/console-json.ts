import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from './base.styles.js';
import './console-copy.js';

/** A part of JSON. Its kind gives the colour. */
interface Token {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain';
  readonly text: string;
}

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;
/** Longer text is shown without colours. */
const COLOURED_LENGTH_MAX = 20_000;

/** Pretty-printed JSON with a copy button. Text that isn't JSON is shown as it is. */
@customElement('console-json')
export class ConsoleJson extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .code-block {
        position: relative;
      }
      .code-text {
        margin: 0;
        padding-right: 2.75rem;
        max-block-size: 26rem;
        overflow: auto;
        user-select: auto;
      }
      console-copy {
        position: absolute;
        inset-block-start: 0.375rem;
        right: 0.375rem;
        margin: 0;
      }
      .key {
        color: var(--accent-strong);
      }
      .number,
      .word {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) value!: unknown;
  /** What the JSON is, for screen readers. */
  @property() name: string = 'JSON';

  protected override render(): TemplateResult {
    const text = prettyJson(this.value);
    return html`<div class="code-block wraps">
      <pre class="code-text" dir="ltr" tabindex="0" role="region" aria-label=${this.name}>${tokensOf(
        text,
      ).map(({ kind, text: part }) =>
        kind === 'plain' ? part : html`<span class=${kind}>${part}</span>`,
      )}</pre>
      ${text === '' ? nothing : html`<console-copy icon .text=${text} .name=${this.name}></console-copy>`}
    </div>`;
  }
}

function prettyJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

function tokensOf(text: string): readonly Token[] {
  if (text.length > COLOURED_LENGTH_MAX) return [{ kind: 'plain', text }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [all, quoted, colon = '', number] = match;
    tokens.push({ kind: 'plain', text: text.slice(end, match.index) });
    end = match.index + all.length;
    if (quoted === undefined) tokens.push({ kind: number === undefined ? 'word' : 'number', text: all });
    else tokens.push({ kind: colon === '' ? 'string' : 'key', text: quoted }, { kind: 'plain', text: colon });
  }
  return [...tokens, { kind: 'plain', text: text.slice(end) }];
}
