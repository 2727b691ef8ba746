import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';

@customElement('configurator-preview')
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
        /* Room for the menu of the login element. */
        min-block-size: 24rem;
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

  @property({ attribute: false }) settings!: { readonly elements: object; readonly theme: object };
  /** `light`, `dark`, `rtl` or `narrow`. */
  @property() variant!: string;

  #loaded = '';
  readonly #heights = new ResizeObserver(([entry]) => this.#fit(entry?.target));

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

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#heights.disconnect();
  }

  /** Follows the height of the page in the frame. */
  #follow({ target }: Event): void {
    this.#heights.disconnect();
    const body = (target as HTMLIFrameElement).contentDocument?.body;
    if (body) this.#heights.observe(body);
  }

  #fit(body: Element | undefined): void {
    const frame = this.renderRoot.querySelector('iframe');
    if (frame === null || body === undefined) return;
    const { top, height } = body.getBoundingClientRect();
    // The body has the same margin below as above.
    frame.style.blockSize = `${Math.ceil(height + 2 * (top + (frame.contentWindow?.scrollY ?? 0)))}px`;
  }

  protected override render(): TemplateResult {
    return html`<div class="frame ${this.variant}">
      <iframe title="Preview" @load=${this.#follow}></iframe>
    </div>`;
  }
}
