/**
 * Conditions in which pages are checked. 320 px is the narrowest width that WCAG 1.4.10 names. Every color of the pages is a token,
 * and a test of the tokens computes their contrast in both schemes. So the short form of the tests has one condition.
 */
export const CONDITIONS = [
  { name: 'at 320 px in dark', colorScheme: 'dark', viewport: { width: 320, height: 860 }, isLong: false },
  {
    name: 'on a wide screen in light',
    colorScheme: 'light',
    viewport: { width: 1280, height: 860 },
    isLong: true,
  },
] as const;
