import { expect, it } from 'vitest';
import { chevron, keyIcon, leaveIcon, personIcon } from './account-menu.js';

it.each(Object.entries({ chevron, keyIcon, leaveIcon, personIcon }))(
  '%s lets Lit visit only the comment before it',
  (_name, { strings }) => {
    expect(strings).toHaveLength(1);
    expect(strings[0]).toMatch(/^<!----><svg /);
  },
);
