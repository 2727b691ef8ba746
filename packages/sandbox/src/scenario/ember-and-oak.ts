/** Logo of the sample shop: the icon of the demo's pages. A data URL, so that it needs no running shop. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="#d9481a" d="M24 3c6 8.5 14 13 14 21.5 0 4-2.5 6.5-6 6.5H16c-3.5 0-6-2.5-6-6.5C10 16 18 11.5 24 3Z"/><path fill="#ffb25c" d="M24 15c3 4.5 7 7 7 11 0 3-2 5-4 5h-6c-2 0-4-2-4-5 0-4 4-6.5 7-11Z"/><path fill="#a67c4b" d="M7 32c0-1 1-2 2-2h30c1 0 2 1 2 2 0 7-7 11-17 11S7 39 7 32Z"/></svg>`;

/** Brand of the sample shop, which its community and its clients share. */
export const EMBER_AND_OAK = {
  logoUrl: `data:image/svg+xml,${encodeURIComponent(LOGO)}`,
  accent: '#b8380f',
} as const;

/** Accent of the other seller's community. */
export const TIDE_AND_TACKLE = { accent: '#1d5f8a' } as const;
