import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from '../../parts/base.styles.js';
import '../../parts/console-copy.js';
import '../../parts/console-tabs.js';

/** Code to paste, as the control API returns it. */
export interface Snippet {
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

/**
 * Code to paste, by tab.
 *
 * @fires snippet - Another snippet was selected: `detail` is its title.
 */
@customElement('configurator-snippets')
export class SnippetPanel extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .head {
        justify-content: space-between;
        margin-block-end: 0.5rem;
      }
      .head p {
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
    `,
  ];

  @property({ attribute: false }) snippets: readonly Snippet[] = [];
  /** Content of the `.env` file. */
  @property() env = '';
  /** Title of the shown snippet. */
  @property() selected = '';

  protected override render(): TemplateResult {
    const all = [
      ...this.snippets,
      { title: '.env', note: 'The values that the code reads.', code: this.env },
    ];
    const shown = all.find(({ title }) => title === this.selected) ?? all[0];
    if (shown === undefined) return html``;
    const tab = nameOf(shown.title);
    return html`<console-tabs
      label="Code"
      .tabs=${all.map(({ title }) => ({ name: nameOf(title), label: title }))}
      .selected=${tab}
      @console-tab=${({ detail }: CustomEvent<string>) => {
        const next = all.find(({ title }) => nameOf(title) === detail);
        this.dispatchEvent(new CustomEvent('snippet', { detail: next?.title }));
      }}
    >
      <div slot=${tab}>
        <div class="row head">
          <p class="muted">${shown.note}</p>
          <console-copy .text=${shown.code} .name=${`the ${shown.title} code`}></console-copy>
        </div>
        <pre dir="ltr" tabindex="0" role="region" aria-label="${shown.title} code"><code>${shown.code}</code></pre>
      </div>
    </console-tabs>`;
  }
}

function nameOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
