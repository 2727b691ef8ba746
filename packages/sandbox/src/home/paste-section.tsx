import { CodeBlock, CopyText } from '@latchkey/server/ui';
import { envBlock, type SandboxValue } from '../integration/sandbox-values.js';
import type { CodeSnippet } from '../integration/snippet-choice.js';

export interface PasteProps {
  readonly values: readonly SandboxValue[];
  /** Empty for a sandbox without sample data. */
  readonly snippets: readonly CodeSnippet[];
}

/** How many values are always shown. A first page needs no others. */
const SHOWN = 2;

function Values({ values }: Pick<PasteProps, 'values'>) {
  return (
    <dl class="values">
      {values.map(({ label, value }) => (
        <div class="value" key={label}>
          <dt class="muted">{label}</dt>
          <dd>
            <CopyText label={label} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The values that an integration needs: as rows, as an `.env` file, and in code. */
export function PasteSection({ values, snippets }: PasteProps) {
  return (
    <section class="panel paste" aria-labelledby="paste-title">
      <h2 id="paste-title">For your own site</h2>
      <Values values={values.slice(0, SHOWN)} />
      {values.length > SHOWN && (
        <details class="fold">
          <summary>All values</summary>
          <Values values={values.slice(SHOWN)} />
        </details>
      )}
      <details class="fold">
        <summary>
          The same as an <code>.env</code> file
        </summary>
        <div id="env">
          <CodeBlock label=".env file" text={envBlock(values)} language="shell" />
        </div>
      </details>
      {snippets.length > 0 && (
        <>
          <h3 class="section-label">Code for this sandbox</h3>
          <p class="muted">
            <a href="/docs/overview#install">Install</a> says where the packages come from.
          </p>
          {snippets.map(({ title, note, code }) => (
            <details class="fold" key={title} name="snippet">
              <summary>{title}</summary>
              <p class="muted">{note}</p>
              <CodeBlock label={`${title} snippet`} text={code} />
            </details>
          ))}
        </>
      )}
    </section>
  );
}
