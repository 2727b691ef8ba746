import type { SignatureCheck } from '@latchkey/sandbox';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import { formStyles } from '../../parts/form.styles.js';
import { ControlElement } from '../../shell/console-view.js';

/** Form that checks a pasted body and signature, and names the likely mistake. */
@customElement('console-verify-form')
export class VerifyForm extends ControlElement {
  static override styles = [
    baseStyles,
    formStyles,
    css`
      form {
        display: grid;
        gap: 0.75rem;
      }
      .result {
        padding: 0.625rem 0.875rem;
        background: var(--sunken);
        border-inline-start: 3px solid var(--danger);
        border-radius: 0 8px 8px 0;
        overflow-wrap: anywhere;
      }
      .result.good {
        border-color: var(--accent);
      }
    `,
  ];
  @property() body = '';
  @property() signature = '';
  @state() private _check: SignatureCheck | undefined;

  async #verify(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    // Not trimmed: white space at the end of the body is a mistake to find.
    const form = new FormData(event.target as HTMLFormElement);
    this.body = String(form.get('body') ?? '').replaceAll('\r\n', '\n');
    this.signature = String(form.get('signature') ?? '');
    this._check = undefined;
    this._check = await this.attempt(() =>
      this.api.post<SignatureCheck>('/signatures', { body: this.body, signature: this.signature }),
    );
  }

  protected override render(): TemplateResult {
    return html`<form @submit=${this.#verify}>
      <div class="field">
        <label for="body">Body, byte for byte</label>
        <textarea id="body" name="body" required spellcheck="false" .value=${this.body}></textarea>
      </div>
      <div class="field">
        <label for="signature">Signature</label>
        <input id="signature" name="signature" required maxlength="500" autocomplete="off" spellcheck="false" .value=${this.signature} />
      </div>
      <div class="row"><button class="button primary small">Verify</button></div>
      <div role="status">${this._check === undefined ? nothing : resultOf(this._check)}</div>
    </form>`;
  }
}

function resultOf({ verified, webhookId, hint }: SignatureCheck): TemplateResult {
  if (verified) {
    return html`<p class="result good">The signature is right. It was made with the secret of webhook <code>${webhookId}</code>.</p>`;
  }
  if (hint === null) {
    return html`<p class="result">No secret of this sandbox signed this body, in none of the usual wrong ways. Compare body and secret.</p>`;
  }
  return html`<p class="result">The signature is wrong. ${hint} The secret is that of webhook <code>${webhookId}</code>.</p>`;
}
