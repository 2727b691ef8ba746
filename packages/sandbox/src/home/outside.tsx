import { ArrowIcon } from '@latchkey/server/ui';

/** Text of a link that leaves the page. Its arrow stays beside the last word. */
export function Outside({ text }: { text: string }) {
  const start = text.lastIndexOf(' ') + 1;
  return (
    <span>
      {text.slice(0, start)}
      <span class="goes-out">
        {text.slice(start)}
        <ArrowIcon />
      </span>
    </span>
  );
}
