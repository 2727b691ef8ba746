import type { ControlClient } from '@latchkey/sandbox/client';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-copy.js';
import { selectField } from '../../parts/form-parts.js';

/**
 * A form that registers a client with a site's origin.
 *
 * @fires registered - A client was registered: `detail` is its id.
 */
@customElement('configurator-register')
export class RegisterClient extends LitElement {
  static override styles = [
    baseStyles,
    css`
      form {
        display: grid;
        gap: 0.625rem;
      }
      .secret {
        padding: 0.625rem 0.75rem;
        background: var(--accent-soft);
        border-radius: 8px;
      }
    `,
  ];

  @property({ attribute: false }) api!: ControlClient;
  /** Origin of the service. The client also allows its preview. */
  @property() baseUrl!: string;
  @state() private _failure = '';
  @state() private _secret = '';

  async #register(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    this._failure = '';
    this._secret = '';
    try {
      const { roles = [] } = await this.api.call('GET /data/{kind}', { kind: 'roles' });
      const origin = String(fields.get('origin'));
      const type = String(fields.get('type'));
      const { id: clientId, clientSecret } = await this.api.call('POST /data/{kind}', {
        kind: 'clients',
        name: String(fields.get('name')),
        type,
        ownerId: roles.find(({ role }) => role === 'OWNER')?.userId,
        redirectUris: [`${origin}/auth/callback`],
        widgetOrigins: [...new Set([origin, this.baseUrl])],
      });
      this._secret = String(clientSecret ?? '');
      this.dispatchEvent(new CustomEvent('registered', { detail: clientId }));
    } catch (error) {
      this._failure = error instanceof Error ? error.message : String(error);
    }
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${this.#register}>
      <div class="field">
        <label for="name">Name of the app</label>
        <input id="name" name="name" required maxlength="100" value="My site" autocomplete="off" />
      </div>
      <div class="field">
        <label for="origin">Origin of the site</label>
        <input
          id="origin"
          name="origin"
          type="url"
          required
          value="http://localhost:3000"
          pattern="https?://[^/]+"
          title="An origin such as https://shop.example, without a path"
          autocomplete="off"
        />
      </div>
      ${selectField('Type', {
        id: 'type',
        options: [
          ['public', 'public: no secret'],
          ['confidential', 'confidential: the backend has a secret'],
        ],
      })}
      <button class="button primary small">Register client and origin</button>
      ${this._failure === '' ? nothing : html`<p class="field-error" role="alert">${this._failure}</p>`}
      ${
        this._secret === ''
          ? nothing
          : html`<div class="secret" role="status">
              <p>The secret is shown only now: <code>${this._secret}</code></p>
              <console-copy .text=${this._secret} name="the client secret"></console-copy>
            </div>`
      }
    </form>`;
  }
}
