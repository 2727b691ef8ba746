import { svg } from 'lit/html.js';

const icon = (path: string, className = '') =>
  svg`<svg class=${className} viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

export const keyIcon = icon('M15.5 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 12.5 4 20.5M7 17.5l2.5 2.5');
export const chevron = icon('m6 9 6 6 6-6', 'chevron');
