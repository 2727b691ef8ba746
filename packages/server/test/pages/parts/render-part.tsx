import { type CheerioAPI, load } from 'cheerio';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { speak } from '../../../src/platform/language/language.js';

/** Renders a part and parses it like a browser. */
export function renderPart(part: VNode, locale = 'en-GB'): CheerioAPI {
  return load(speak('en', () => render(part), locale));
}
