import { css, html, type TemplateResult } from 'lit';
import '../../parts/console-copy.js';
import '../../parts/console-tabs.js';

/** Code to paste, as the control API returns it. */
export interface Snippet {
  readonly title: string;
  readonly note: string;
  readonly code: string;
}

export const snippetStyles = css`
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
`;

/**
 * Renders code to paste, by tab.
 *
 * @param selected title of the shown snippet.
 */
export function snippetTabs(
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
