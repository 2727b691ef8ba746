import { Snippet } from '@latchkey/server/ui';
import type { CodeSnippet } from '../integration/code-snippet.js';
import { envBlock, type SandboxValue } from '../integration/sandbox-values.js';
import { CopyButton } from '../navigation/copy-button.js';

/** Props of {@link PasteSection}. */
export interface PasteProps {
  readonly values: readonly SandboxValue[];
  /** Empty for a sandbox without sample data. */
  readonly snippets: readonly CodeSnippet[];
}

/** Everything that an integration has to know: as rows, as an `.env` file, and in code. */
export function PasteSection({ values, snippets }: PasteProps) {
  return (
    <section class="panel paste" aria-labelledby="paste-title">
      <h2 id="paste-title">For your own site</h2>
      <dl class="values">
        {values.map(({ label, value }, index) => (
          <div class="value" key={label}>
            <dt>{label}</dt>
            <dd>
              <code class="value-text" id={`value-${index}`} dir="ltr">
                {value}
              </code>
              <CopyButton of={`value-${index}`} name={label} />
            </dd>
          </div>
        ))}
      </dl>
      <details class="fold">
        <summary>
          The same as an <code>.env</code> file
        </summary>
        <Copied id="env" name=".env file" text={envBlock(values)} />
      </details>
      {snippets.length > 0 && (
        <>
          <h3 class="paste-heading">Code, with these ids filled in</h3>
          {snippets.map(({ title, note, code }, index) => (
            <details class="fold" key={title} name="snippet">
              <summary>{title}</summary>
              <p class="muted">{note}</p>
              <Copied id={`snippet-${index}`} name={`${title} snippet`} text={code} />
            </details>
          ))}
        </>
      )}
    </section>
  );
}

function Copied(props: { id: string; name: string; text: string }) {
  return (
    <div class="copied-block">
      <div id={props.id}>
        <Snippet label={props.name} text={props.text} />
      </div>
      <CopyButton of={props.id} name={props.name} />
    </div>
  );
}
