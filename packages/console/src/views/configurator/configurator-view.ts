import type { ControlAnswer } from '@latchkey/sandbox/client';
import { css, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-copy.js';
import '../../parts/console-tabs.js';
import { selectField } from '../../parts/form-parts.js';
import { ConsoleView } from '../../shell/console-view.js';
import { attributesOf, type Choice, elementSettings, readChoice } from './element-settings.js';
import './preview-frame.js';
import './register-client.js';

interface Client {
  readonly clientId: string;
  readonly name: string;
  readonly type: string;
  readonly widgetOrigins: readonly string[];
}
type Named = { readonly id: string; readonly name: string };
type Snippet = ControlAnswer<'POST /snippets'>['snippets'][number];

const VARIANTS = [
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
  { name: 'rtl', label: 'Right to left' },
  { name: 'narrow', label: 'Narrow' },
];
/** Pause before a change takes effect. Otherwise typing would load the preview for each letter. */
const PAUSE_MS = 250;

const configuratorStyles = css`
  .columns {
    display: grid;
    grid-template-columns: minmax(16rem, 22rem) minmax(0, 1fr);
    gap: 1rem;
    align-items: start;
  }
  .side,
  .main,
  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    min-inline-size: 0;
  }
  .fields {
    padding-block-start: 0.75rem;
  }
  .hint {
    font-size: 0.8125rem;
    line-height: 1.35;
  }
  h2 {
    margin-block-end: 0.5rem;
  }
  details > summary {
    min-block-size: 2rem;
    font-weight: 600;
    cursor: pointer;
    align-content: center;
  }
  details + details {
    border-block-start: 1px solid var(--line);
  }
  .elements {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
  }
  .notice {
    padding: 0.625rem 0.75rem;
    background: var(--ribbon);
    color: var(--ribbon-text);
    margin-block-end: 0.75rem;
    border-color: var(--ribbon);
    border-radius: 8px;
    justify-content: space-between;
  }
  .preview-head {
    justify-content: space-between;
  }
  .snippet-head {
    justify-content: space-between;
    margin-block-end: 0.5rem;
  }
  .snippet-head p {
    flex: 1 1 14rem;
  }
  pre {
    margin: 0;
    padding: 0.75rem 1rem;
    overflow-x: auto;
    background: var(--sunken);
    border: 1px solid var(--line);
    border-radius: 8px;
    font: 0.8125rem/1.5 var(--mono);
    direction: ltr;
    text-align: left;
  }
  @media (max-width: 60rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;

@customElement('console-configurator')
export class ConfiguratorView extends ConsoleView {
  static override styles = [baseStyles, configuratorStyles];
  protected override readonly reloadsAfter = ['reset', 'data'];
  @state() private _choice!: Choice;
  /** What the preview and the code show. */
  @state() private _shown: Choice | undefined;
  @state() private _clients: readonly Client[] = [];
  @state() private _communities: readonly Named[] = [];
  @state() private _plans: readonly Named[] = [];
  @state() private _code: readonly Snippet[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this._choice = readChoice(this.place.get('settings'));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override placeChanged(): void {
    this._choice = this.#completed(readChoice(this.place.get('settings')));
    void this.#show();
  }

  override async load(): Promise<void> {
    const lists = await this.attempt(() =>
      Promise.all([
        this.api.call('GET /data/{kind}', { kind: 'clients', limit: 1_000 }),
        this.api.call('GET /data/{kind}', { kind: 'communities', limit: 1_000 }),
        this.api.call('GET /data/{kind}', { kind: 'plans', limit: 1_000 }),
      ]),
    );
    if (lists === undefined) return;
    const [{ clients }, { communities }, { plans }] = lists;
    this._clients = (clients ?? []) as unknown as readonly Client[];
    this._communities = (communities ?? []) as unknown as readonly Named[];
    this._plans = (plans ?? []) as unknown as readonly Named[];
    this._choice = this.#completed(this._choice);
    await this.#show();
  }

  /** Replaces ids that the sandbox doesn't have, for example after a reset. */
  #completed(choice: Choice): Choice {
    const { clientId, communityId, planId } = choice;
    const [client] = this._clients;
    const [community] = this._communities;
    const isClient = this._clients.some((each) => each.clientId === clientId);
    const isCommunity = this._communities.some(({ id }) => id === communityId);
    return {
      ...choice,
      clientId: isClient ? clientId : (client?.clientId ?? ''),
      communityId: isCommunity ? communityId : (community?.id ?? ''),
      planId: this._plans.some(({ id }) => id === planId) ? planId : (this._plans[0]?.id ?? ''),
    };
  }

  #change(change: Partial<Choice>): void {
    this._choice = { ...this._choice, ...change };
    this.place.replace({ settings: JSON.stringify(this._choice) });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(), PAUSE_MS);
  }

  async #show(): Promise<void> {
    const choice = this._choice;
    const { clientId, communityId, planId, theme } = choice;
    this._shown = choice;
    if (clientId === '' || communityId === '' || planId === '') return;
    const body = { clientId, communityId, planId, elements: attributesOf(choice), theme };
    const code = await this.attempt(() => this.api.call('POST /snippets', body));
    // A later change gets its own code.
    if (code === undefined || choice !== this._choice) return;
    const env = { title: '.env', note: 'The values that the code reads.', code: code.env };
    this._code = [...code.snippets, env];
  }

  async #allowPreview(client: Client): Promise<void> {
    const widgetOrigins = [...client.widgetOrigins, this.settings.baseUrl];
    const done = await this.attempt(() =>
      this.api.call('PATCH /data/{kind}/{id}', {
        ...{ kind: 'clients', id: client.clientId },
        ...{ widgetOrigins, hostedCallback: true },
      }),
    );
    if (done === undefined) return;
    this.announce('The client accepts sign-ins from the preview.');
    await this.load();
  }

  protected override render(): TemplateResult {
    return html`<div class="columns">
      <div class="side">${this.#ids()} ${elementSettings(this._choice, (change) => this.#change(change))} ${this.#register()}</div>
      <div class="main">${this.#preview()} ${this.#snippets()}</div>
    </div>`;
  }

  #ids(): TemplateResult {
    const { clientId, communityId, planId } = this._choice;
    const clients = this._clients.map((each) => ({
      id: each.clientId,
      name: `${each.name} (${each.type}, …${each.clientId.slice(-4)})`,
    }));
    return html`<section class="panel" aria-labelledby="ids">
      <h2 id="ids">Your ids</h2>
      <div class="fields">
        ${this.#select('Client', 'clientId', clients, clientId)}
        ${this.#select('Community', 'communityId', this._communities, communityId)}
        ${this.#select('Plan', 'planId', this._plans, planId)}
      </div>
    </section>`;
  }

  #select(label: string, id: keyof Choice, options: readonly Named[], selected: string): TemplateResult {
    return selectField(label, {
      id,
      options: options.map((option) => [option.id, option.name] as const),
      selected,
      onChange: (value) => this.#change({ [id]: value }),
    });
  }

  #register(): TemplateResult {
    return html`<section class="panel" aria-labelledby="register">
      <h2 id="register">Register your site</h2>
      <configurator-register
        .api=${this.api}
        .baseUrl=${this.settings.baseUrl}
        @registered=${async ({ detail: clientId }: CustomEvent<string>) => {
          await this.load();
          this.#change({ clientId });
          this.announce(`Registered the client ${clientId}.`);
        }}
      ></configurator-register>
    </section>`;
  }

  #preview(): TemplateResult {
    const shown = this._shown;
    const variant =
      this.place.get('variant') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const client = this._clients.find(({ clientId }) => clientId === shown?.clientId);
    const isAllowed = client?.widgetOrigins.includes(this.settings.baseUrl) === true;
    return html`<section class="panel" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      ${client === undefined || isAllowed ? nothing : this.#notAllowed(client)}
      ${
        client?.type === 'confidential'
          ? html`<p class="muted hint">The preview has no secret, so it signs in with public clients only.</p>`
          : nothing
      }
      <console-tabs
        label="Look of the preview"
        .tabs=${VARIANTS}
        .selected=${variant}
        @console-tab=${({ detail: variant }: CustomEvent<string>) => {
          this.place.replace({ variant });
          this.requestUpdate();
        }}
      >
        <div slot=${variant}>
          ${
            shown === undefined
              ? nothing
              : html`<configurator-preview
                  .settings=${{ elements: attributesOf(shown), theme: shown.theme }}
                  .variant=${variant}
                ></configurator-preview>`
          }
        </div>
      </console-tabs>
    </section>`;
  }

  #notAllowed(client: Client): TemplateResult {
    return html`<div class="row notice">
      <span>This client does not allow sign-ins from the preview.</span>
      <button class="button secondary small" type="button" @click=${() => this.#allowPreview(client)}>Allow the preview</button>
    </div>`;
  }

  #snippets(): TemplateResult {
    return html`<section class="panel" aria-labelledby="code">
      <h2 id="code">Code for your site</h2>
      ${snippetTabs(this._code, this.place.get('code'), (code) => {
        this.place.replace({ code });
        this.requestUpdate();
      })}
    </section>`;
  }
}

/**
 * Renders code to paste, by tab.
 *
 * @param selected title of the shown snippet.
 */
function snippetTabs(
  snippets: readonly Snippet[],
  selected: string,
  onSelect: (title: string) => void,
): TemplateResult {
  const shown = snippets.find(({ title }) => title === selected) ?? snippets[0];
  if (shown === undefined) return html``;
  const tab = nameOf(shown.title);
  return html`<console-tabs
    label="Code"
    .tabs=${snippets.map(({ title }) => ({ name: nameOf(title), label: title }))}
    .selected=${tab}
    @console-tab=${({ detail }: CustomEvent<string>) =>
      onSelect(snippets.find(({ title }) => nameOf(title) === detail)?.title ?? '')}
  >
    <div slot=${tab}>
      <div class="row snippet-head">
        <p class="muted">${shown.note}</p>
        <console-copy .text=${shown.code} .name=${`the ${shown.title} code`}></console-copy>
      </div>
      <pre dir="ltr" tabindex="0" role="region" aria-label="${shown.title} code"><code>${shown.code}</code></pre>
    </div>
  </console-tabs>`;
}

function nameOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
