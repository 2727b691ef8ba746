import type { ComponentChildren } from 'preact';

/** Text with paragraphs, lists of `- ` lines, `**strong**` words and `` `code` ``: the Markdown that the service writes. */
export function PlainMarkdown(props: { text: string }) {
  return (
    <div class="prose">
      {props.text.split('\n\n').map((block) =>
        block.startsWith('- ') ? (
          <ul class="bullets" key={block}>
            {block.split('\n').map((line) => (
              <li key={line}>
                <Inline text={line.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p key={block}>
            <Inline text={block} />
          </p>
        ),
      )}
    </div>
  );
}

/** One line of it: `**strong**` words and `` `code` ``. */
export function Inline(props: { text: string }) {
  const parts = props.text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return <>{parts.map((part, index) => mark(part, index))}</>;
}

function mark(part: string, key: number): ComponentChildren {
  if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
  if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>;
  return part;
}
