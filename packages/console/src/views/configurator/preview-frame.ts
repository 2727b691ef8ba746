import {
  css,
  html,
  LitElement,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { baseStyles } from '../../parts/base.styles.js';

/** Frame with the elements as a site shows them. */
export class PreviewFrame extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .frame {
        overflow: auto;
        background: var(--sunken);
        border: 1px solid var(--line);
        border-radius: var(--radius);
      }
      iframe {
        display: block;
        inline-size: 100%;
        block-size: 32rem;
        margin-inline: auto;
        border: 0;
        background: #fff;
      }
      .dark iframe {
        background: #16181c;
      }
      .narrow iframe {
        inline-size: 20rem;
        max-inline-size: 100%;
      }
    `,
  ];
  static override properties: PropertyDeclarations = { settings: { attribute: false }, variant: {} };

  /** Elements with their attributes, and the theme. */
  declare settings: { readonly elements: object; readonly theme: object };
  /** `light`, `dark`, `rtl` or `narrow`. */
  declare variant: string;

  #loaded = '';

  /** Address of the page in the frame. */
  get address(): string {
    const settings = {
      ...this.settings,
      scheme: this.variant === 'dark' ? 'dark' : 'light',
      dir: this.variant === 'rtl' ? 'rtl' : 'ltr',
    };
    return `/sandbox/preview?${new URLSearchParams({ settings: JSON.stringify(settings) })}`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { address } = this;
    if (address === this.#loaded) return;
    this.#loaded = address;
    const frame = this.renderRoot.querySelector('iframe');
    // A changed "src" would add an entry to the browser's history.
    frame?.contentWindow?.location.replace(address);
  }

  protected override render(): TemplateResult {
    return html`<div class="frame ${this.variant}">
      <iframe title="Preview"></iframe>
    </div>`;
  }
}

customElements.define('configurator-preview', PreviewFrame);
