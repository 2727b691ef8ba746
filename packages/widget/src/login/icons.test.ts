import { expect, it } from 'vitest';
import { leaveIcon, personIcon } from './account-menu.js';
import { chevron, keyIcon } from './icons.js';

it.each(Object.entries({ chevron, keyIcon, leaveIcon, personIcon }))(
  '%s lets Lit visit only the comment before it',
  (_name, { strings }) => {
    expect(strings).toHaveLength(1);
    expect(strings[0]).toMatch(/^<!----><svg /);
  },
);
