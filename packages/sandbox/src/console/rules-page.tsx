import { REQUIREMENTS, type Requirement } from '@latchkey/contract/requirements';
import { type Page, renderDocument } from '@latchkey/server/ui';
import { sandboxHeader } from '../navigation/sandbox-nav.js';

/** Page with all rules of the specification. Each one has its id as anchor: `/sandbox/rules#token.code-grant`. */
export function rulesPage(): Page {
  const sections = [...new Set(REQUIREMENTS.map(({ section }) => section))];
  return renderDocument({
    title: 'Rules',
    layout: 'reference',
    ...sandboxHeader(),
    children: (
      <main class="console" id="content">
        <div class="page-heading">
          <h1>Rules</h1>
          <p class="lead">
            {REQUIREMENTS.length} rules of the specification, as tests cite them. The request log names the
            one that decided an answer.
          </p>
        </div>
        {sections.map((name) => (
          <RuleSection
            section={name}
            rules={REQUIREMENTS.filter(({ section }) => section === name)}
            key={name}
          />
        ))}
      </main>
    ),
  });
}

function RuleSection({ section, rules }: { section: string; rules: readonly Requirement[] }) {
  return (
    <section class="panel">
      <h2>{section}</h2>
      <dl class="rule-list">
        {rules.map(({ id, text, side }) => (
          <div id={id} key={id}>
            <dt>
              <a href={`#${id}`}>
                <code>{id}</code>
              </a>
            </dt>
            <dd>
              <RuleText text={text} />
              {side !== 'server' && (
                <span class="muted"> {side === 'caller' ? 'Kept by callers.' : 'Kept by both sides.'}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Text in which backticks mark code. */
function RuleText({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  );
}
