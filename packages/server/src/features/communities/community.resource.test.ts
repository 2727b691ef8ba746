import { describe, expect, it } from 'vitest';
import { communitySchema } from './community.resource.js';

describe('name of a community', () => {
  it.each([
    'Your account is locked: https://evil.example',
    'See HTTP://evil.example',
    'www.evil.example',
    'Sign in at WWW.evil.example now',
    'evil.example/login',
    'unlock: пример.рф/вход',
  ])('%j is rejected, because it contains a web address', (name) => {
    expect(communitySchema.safeParse({ name }).error?.issues[0]?.message).toBe(
      'Enter a name without a web address.',
    );
  });

  it.each(['Node.js Club', 'St. Gallen/Basel', 'Tea & Biscuits', 'A.B./C.D.', '24/7', 'Crème'])(
    '%j is accepted',
    (name) => {
      expect(communitySchema.parse({ name })).toEqual({ name });
    },
  );
});
