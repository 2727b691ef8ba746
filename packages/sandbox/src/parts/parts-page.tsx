import { type Page, renderDocument, SubNav } from '@latchkey/server/ui';
import { sandboxHeader } from '../navigation/sandbox-nav.js';
import { FieldSamples } from './field-samples.js';
import { longText, type TextOf } from './long-text.js';
import { Samples } from './part-samples.js';
import { ProgressSamples } from './progress-samples.js';

/** Address of the page. */
export const PARTS_PATH = '/sandbox/parts';

/** Conditions in which the parts are shown. */
interface PartsView {
  scheme: 'light' | 'dark' | undefined;
  dir: 'ltr' | 'rtl' | undefined;
  /** True to show texts of 1.4 times the length. */
  isLong: boolean;
}

/** Renders the page with every part of the pages in every state. */
export function partsPage(view: PartsView): Page {
  const text: TextOf = view.isLong ? longText : (same) => same;
  return renderDocument({
    title: 'Parts',
    layout: 'reference',
    scheme: view.scheme,
    dir: view.dir,
    ...sandboxHeader(),
    children: (
      <main class="console" id="content" tabIndex={-1}>
        <div class="console-heading">
          <h1>Parts of the pages</h1>
          <p>Every part in every state, for reviews and for pictures.</p>
        </div>
        <Switches view={view} />
        <Samples text={text} />
        <ProgressSamples text={text} />
        <FieldSamples text={text} />
      </main>
    ),
  });
}

function Switches({ view }: { view: PartsView }) {
  const schemes = [
    { label: 'Own scheme', view: { ...view, scheme: undefined } },
    { label: 'Light', view: { ...view, scheme: 'light' as const } },
    { label: 'Dark', view: { ...view, scheme: 'dark' as const } },
  ];
  const directions = [
    { label: 'Left to right', view: { ...view, dir: undefined } },
    { label: 'Right to left', view: { ...view, dir: 'rtl' as const } },
  ];
  const texts = [
    { label: 'Short texts', view: { ...view, isLong: false } },
    { label: 'Long texts', view: { ...view, isLong: true } },
  ];
  const items = (links: readonly { label: string; view: PartsView }[]) =>
    links.map((link) => ({ label: link.label, href: hrefOf(link.view) }));
  return (
    <>
      <SubNav label="Colour scheme" items={items(schemes)} current={hrefOf(view)} />
      <SubNav label="Direction" items={items(directions)} current={hrefOf(view)} />
      <SubNav label="Length of texts" items={items(texts)} current={hrefOf(view)} />
    </>
  );
}

function hrefOf({ scheme, dir, isLong }: PartsView): string {
  const query = new URLSearchParams({
    ...(scheme !== undefined && { scheme }),
    ...(dir === 'rtl' && { dir }),
    ...(isLong && { long: '1' }),
  });
  return query.size === 0 ? PARTS_PATH : `${PARTS_PATH}?${query}`;
}
