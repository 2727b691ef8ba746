import { staticTemplate } from '../element/shared.js';

/**
 * Returns an icon. When a script first visits an SVG element, the browser creates the SVG interfaces, which delays the
 * page. Lit visits the first element or comment of a template, and further ones only to find expressions. So the
 * template starts with a comment and has no expressions.
 */
export const icon = (path: string, className = '') =>
  staticTemplate(
    `<!----><svg class="${className}" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`,
  );

export const keyIcon = icon('M16 3a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12.5 11.5 3 21m3-3 3 3m1-7 3 3');
export const chevron = icon('m6 9 6 6 6-6', 'chevron');
