import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';

/** Renders a part of a page as HTML, to insert it into other HTML. */
export function renderPart(part: VNode): string {
  return render(part);
}
