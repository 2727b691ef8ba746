import type { ScenarioEntry, Snapshot, SnapshotEntry } from '@latchkey/sandbox';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { LiveEvent } from '../../api/live.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-dialog.js';
import { formStyles } from '../../parts/form.styles.js';
import { instantText } from '../../parts/instant-text.js';
import { toolStyles } from '../../parts/tool.styles.js';
import { ConsoleView } from '../../shell/console-view.js';
import { deleting, loading, type Risk, replacing, resetting } from './risk.js';
import { snapshotPath } from './snapshot-path.js';

/** Scenarios, snapshots and reset. */
export class SnapshotsView extends ConsoleView {
  static override styles = [baseStyles, formStyles, toolStyles];
  static override properties: PropertyDeclarations = {
    _scenarios: { state: true },
    _snapshots: { state: true },
    _risk: { state: true },
    _isBusy: { state: true },
  };
  declare private _scenarios: readonly ScenarioEntry[];
  declare private _snapshots: readonly SnapshotEntry[] | undefined;
  declare private _risk: Risk | undefined;
  declare private _isBusy: boolean;

  constructor() {
    super();
    this._scenarios = [];
    this._snapshots = undefined;
    this._risk = undefined;
    this._isBusy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  protected override liveEvent({ type }: LiveEvent): void {
    if (['connected', 'reset'].includes(type)) void this.#load();
  }

  async #load(): Promise<void> {
    const [scenarios, snapshots] = await Promise.all([
      this.attempt(() => this.api.get<{ scenarios: readonly ScenarioEntry[] }>('/scenarios')),
      this.attempt(() => this.api.get<{ snapshots: readonly SnapshotEntry[] }>('/snapshots')),
    ]);
    if (scenarios !== undefined) this._scenarios = scenarios.scenarios;
    if (snapshots !== undefined) this._snapshots = snapshots.snapshots;
  }

  async #do(operation: () => Promise<unknown>, done: string): Promise<boolean> {
    this._isBusy = true;
    const isDone = await this.attempt(async () => {
      await operation();
      return true;
    });
    this._isBusy = false;
    if (isDone !== true) return false;
    this.announce(done);
    await this.#load();
    return true;
  }

  async #run(risk: Risk): Promise<void> {
    this._risk = undefined;
    await this.#do(() => risk.run(), risk.done);
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get('name')).trim();
    const save = () => this.api.post(snapshotPath(name));
    if (this._snapshots?.some((entry) => entry.name === name)) {
      this._risk = replacing(name, save);
      return;
    }
    if (await this.#do(save, `Saved ${name}.`)) form.reset();
  }

  async #export(name: string): Promise<void> {
    const snapshot = await this.attempt(() => this.api.get<Snapshot>(snapshotPath(name)));
    if (snapshot === undefined) return;
    download(`${name}.json`, snapshot);
    this.announce(`Exported ${name}.json. It contains webhook secrets: share only snapshots of test data.`);
  }

  async #import(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file === undefined) return;
    const name = snapshotNameOf(file.name);
    await this.#do(async () => {
      await this.api.post(`${snapshotPath(name)}/import`, await readSnapshot(file));
    }, `Imported ${file.name} as ${name}. Load it to use it.`);
    input.value = '';
  }

  protected override render(): TemplateResult {
    return html`<div class="columns">
        ${this.#scenarioList()}
        <div class="stack">${this.#saveForm()} ${this.#snapshotList()}</div>
      </div>
      ${this.#dialog()}`;
  }

  #scenarioList(): TemplateResult {
    return html`<section class="panel" aria-labelledby="scenarios-heading">
      <h2 id="scenarios-heading">Start over with a scenario</h2>
      <ul class="rows">
        ${this._scenarios.map(
          ({ name, title, summary, suggestions }) => html`<li class="entry">
            <div class="entry-text">
              <h3>${title} <code class="muted">${name}</code></h3>
              <p>${summary}</p>
              <ul class="hints muted">
                ${suggestions.map((suggestion) => html`<li>${suggestion}</li>`)}
              </ul>
            </div>
            <button class="button secondary small"
              type="button"
              ?disabled=${this._isBusy}
              @click=${() => {
                this._risk = resetting(this.api, { name, title });
              }}
            >
              Reset<span class="visually-hidden"> to ${title}</span>
            </button>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #saveForm(): TemplateResult {
    return html`<section class="panel stack" aria-labelledby="save-heading">
      <h2 id="save-heading">Save the present state</h2>
      <form class="field" @submit=${this.#save}>
        <label for="name">Name</label>
        <div class="row">
          <input
            id="name"
            name="name"
            required
            maxlength="64"
            pattern="[A-Za-z0-9][A-Za-z0-9._\\-]*"
            title="Letters, digits, dots, underscores and hyphens"
            autocomplete="off"
            spellcheck="false"
            placeholder="before-the-renewal"
          />
          <button class="button primary small" ?disabled=${this._isBusy}>Save snapshot</button>
        </div>
        <p class="muted">All data and the time, in the memory of the sandbox. At most 20 are stored.</p>
      </form>
      <div class="field">
        <label for="file">Import a file</label>
        <input id="file" type="file" accept="application/json,.json" ?disabled=${this._isBusy} @change=${this.#import} />
        <p class="muted">A file that another sandbox of the same version exported, up to 64 MB.</p>
      </div>
    </section>`;
  }

  #snapshotList(): TemplateResult {
    const snapshots = this._snapshots;
    return html`<section class="panel" aria-labelledby="snapshots-heading">
      <h2 id="snapshots-heading">Stored snapshots</h2>
      ${snapshots === undefined ? html`<p class="muted">Loading…</p>` : nothing}
      ${snapshots?.length === 0 ? html`<p class="muted">None yet. Save one before you try something.</p>` : nothing}
      <ul class="rows">
        ${(snapshots ?? []).map(
          ({ name, rows, serviceTime }) => html`<li class="entry">
            <div class="entry-text">
              <h3>${name}</h3>
              <p class="muted">
                ${rows.toLocaleString('en')} rows at <time datetime=${serviceTime}>${instantText(serviceTime)}</time>
              </p>
            </div>
            <div class="row">
              <button class="button secondary small" type="button" ?disabled=${this._isBusy} @click=${() => {
                this._risk = loading(this.api, name);
              }}>
                Load<span class="visually-hidden"> ${name}</span>
              </button>
              <button class="button secondary small" type="button" ?disabled=${this._isBusy} @click=${() => this.#export(name)}>
                Export<span class="visually-hidden"> ${name}</span>
              </button>
              <button
                type="button"
                class="button danger small"
                ?disabled=${this._isBusy}
                @click=${() => {
                  this._risk = deleting(this.api, name);
                }}
              >
                Delete<span class="visually-hidden"> ${name}</span>
              </button>
            </div>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #dialog(): TemplateResult {
    const risk = this._risk;
    return html`<console-dialog
      .heading=${risk?.heading ?? ''}
      .open=${risk !== undefined}
      @console-close=${() => {
        this._risk = undefined;
      }}
    >
      ${
        risk === undefined
          ? nothing
          : html`<div class="stack">
              <ul class="hints">
                ${risk.consequences.map((consequence) => html`<li>${consequence}</li>`)}
              </ul>
              <div class="row">
                <button type="button" class="button danger small" @click=${() => this.#run(risk)}>${risk.button}</button>
                <button class="button secondary small"
                  type="button"
                  @click=${() => {
                    this._risk = undefined;
                  }}
                >
                  Cancel
                </button>
              </div>
            </div>`
      }
    </console-dialog>`;
  }
}

customElements.define('console-snapshots', SnapshotsView);

/** Saves a snapshot as a file of the visitor. */
function download(fileName: string, snapshot: Snapshot): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(snapshot)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has read the address by the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * Returns the content of an exported file.
 *
 * @throws Error if the file is not JSON.
 */
async function readSnapshot(file: File): Promise<unknown> {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file.name} is not JSON. Choose a file that a sandbox exported.`, { cause: error });
  }
}

/** Returns a name for an imported snapshot: that of its file, without the ending. */
function snapshotNameOf(fileName: string): string {
  const name = fileName
    .replace(/\.json$/i, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return name === '' ? 'imported' : name;
}
