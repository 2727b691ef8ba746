import type { ScenarioEntry, Snapshot, SnapshotEntry } from '@latchkey/sandbox';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-dialog.js';
import { instantText } from '../../parts/instant-text.js';
import { toolStyles } from '../../parts/tool.styles.js';
import { ConsoleView } from '../../shell/console-view.js';

/** A call that replaces or deletes something. The visitor confirms the consequences first. */
interface Risk {
  readonly heading: string;
  readonly consequences: readonly string[];
  readonly button: string;
  readonly done: string;
  run(): Promise<unknown>;
}

const DROPPED = 'Mail, request log, faults, and requests and responses of deliveries are dropped.';

@customElement('console-snapshots')
export class SnapshotsView extends ConsoleView {
  static override styles = [baseStyles, toolStyles];
  protected override readonly reloadsAfter = ['connected', 'reset'];
  @state() private _scenarios: readonly ScenarioEntry[] = [];
  @state() private _snapshots: readonly SnapshotEntry[] | undefined;
  @state() private _risk: Risk | undefined;
  @state() private _isBusy = false;

  override async load(): Promise<void> {
    const [scenarios, snapshots] = await Promise.all([
      this.attempt(() => this.api.call('GET /scenarios')),
      this.attempt(() => this.api.call('GET /snapshots')),
    ]);
    if (scenarios !== undefined) this._scenarios = scenarios.scenarios;
    if (snapshots !== undefined) this._snapshots = snapshots.snapshots;
  }

  async #do(operation: () => Promise<unknown>, done: string): Promise<boolean> {
    this._isBusy = true;
    const isDone = await this.succeeds(operation);
    this._isBusy = false;
    if (!isDone) return false;
    this.announce(done);
    await this.load();
    return true;
  }

  async #run(risk: Risk): Promise<void> {
    this._risk = undefined;
    await this.#do(() => risk.run(), risk.done);
  }

  #resetting({ name, title }: ScenarioEntry): Risk {
    return {
      heading: `Reset to “${title}”?`,
      consequences: [
        'All data are deleted, and everybody is signed out.',
        'The clock is set back to the real time.',
        DROPPED,
        'Stored snapshots stay.',
      ],
      button: 'Reset sandbox',
      done: `The sandbox was reset to “${title}”.`,
      run: () => this.api.call('POST /reset', { scenario: name }),
    };
  }

  #loading(name: string): Risk {
    return {
      heading: `Load the snapshot ${name}?`,
      consequences: [
        'All present data are replaced, sessions and tokens included.',
        'The clock is set to the time of the snapshot.',
        DROPPED,
      ],
      button: 'Load snapshot',
      done: `Loaded ${name}.`,
      run: () => this.api.call('POST /snapshots/{name}/load', { name }),
    };
  }

  #deleting(name: string): Risk {
    return {
      heading: `Delete the snapshot ${name}?`,
      consequences: ['It cannot be loaded any more. The present data stay.'],
      button: 'Delete snapshot',
      done: `Deleted ${name}.`,
      run: () => this.api.call('DELETE /snapshots/{name}', { name }),
    };
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get('name')).trim();
    const save = () => this.api.call('POST /snapshots/{name}', { name });
    if (this._snapshots?.some((entry) => entry.name === name)) {
      this._risk = {
        heading: `Replace the snapshot ${name}?`,
        consequences: ['The stored snapshot of this name is lost.'],
        button: 'Replace snapshot',
        done: `Saved ${name}.`,
        run: save,
      };
      return;
    }
    if (await this.#do(save, `Saved ${name}.`)) form.reset();
  }

  async #export(name: string): Promise<void> {
    const snapshot = await this.attempt(() => this.api.call('GET /snapshots/{name}', { name }));
    if (snapshot === undefined) return;
    download(`${name}.json`, snapshot);
    this.announce(`Exported ${name}.json. It contains webhook secrets: share only snapshots of test data.`);
  }

  async #import(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file === undefined) return;
    const name = snapshotNameOf(file.name);
    await this.#do(
      async () => this.api.call('POST /snapshots/{name}/import', { ...(await readSnapshot(file)), name }),
      `Imported ${file.name} as ${name}. Load it to use it.`,
    );
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
          (scenario) => html`<li class="entry">
            <div class="entry-text">
              <h3>${scenario.title} <code class="muted">${scenario.name}</code></h3>
              <p>${scenario.summary}</p>
              <ul class="hints muted">
                ${scenario.suggestions.map((suggestion) => html`<li>${suggestion}</li>`)}
              </ul>
            </div>
            ${this.#button('Reset', `to ${scenario.title}`, () => (this._risk = this.#resetting(scenario)))}
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
              ${this.#button('Load', name, () => (this._risk = this.#loading(name)))}
              ${this.#button('Export', name, () => this.#export(name))}
              ${this.#button('Delete', name, () => (this._risk = this.#deleting(name)), 'danger')}
            </div>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  /** @param of what the button is for, at the end of its name for screen readers. */
  #button(label: string, of: string, click: () => unknown, look = 'secondary'): TemplateResult {
    return html`<button class="button ${look} small" type="button" ?disabled=${this._isBusy} @click=${click}>
      ${label}<span class="visually-hidden"> ${of}</span>
    </button>`;
  }

  #dialog(): TemplateResult {
    const risk = this._risk;
    const close = () => (this._risk = undefined);
    return html`<console-dialog .heading=${risk?.heading ?? ''} .open=${risk !== undefined} @console-close=${close}>
      ${
        risk === undefined
          ? nothing
          : html`<div class="stack">
              <ul class="hints">
                ${risk.consequences.map((consequence) => html`<li>${consequence}</li>`)}
              </ul>
              <div class="row">
                <button type="button" class="button danger small" @click=${() => this.#run(risk)}>${risk.button}</button>
                <button class="button secondary small" type="button" @click=${close}>Cancel</button>
              </div>
            </div>`
      }
    </console-dialog>`;
  }
}

function download(fileName: string, snapshot: Snapshot): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(snapshot)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has read the URL by the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}

/**
 * Returns the content of an exported file.
 *
 * @throws Error if the file isn't JSON.
 */
async function readSnapshot(file: File): Promise<object> {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file.name} is not JSON. Choose a file that a sandbox exported.`, { cause: error });
  }
}

/** Returns a name for an imported snapshot: its file's name without the extension. */
function snapshotNameOf(fileName: string): string {
  const name = fileName
    .replace(/\.json$/i, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return name === '' ? 'imported' : name;
}
