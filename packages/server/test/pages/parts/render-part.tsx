import { type CheerioAPI, load } from 'cheerio';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { DEFAULT_LOCALE, VisitorContext } from '../../../src/web/ui/parts/values.js';

/** Renders a part and parses it like a browser. */
export function renderPart(part: VNode, locale: string = DEFAULT_LOCALE): CheerioAPI {
  return load(render(<VisitorContext.Provider value={{ locale }}>{part}</VisitorContext.Provider>));
}
