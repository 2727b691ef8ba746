import { expect, it } from 'vitest';
import { chevron, keyIcon } from './icons.js';
import { leaveIcon, personIcon } from './panel.js';

it.each(Object.entries({ chevron, keyIcon, leaveIcon, personIcon }))(
  '%s lets Lit visit only the comment before it',
  (_name, { strings }) => {
    expect(strings).toHaveLength(1);
    expect(strings[0]).toMatch(/^<!----><svg /);
  },
);
