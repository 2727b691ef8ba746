/** Layout of the front page: the steps above two columns. */
export const HOME = `
.home { gap: 1.25rem; }
.home > :empty { display: none; }
.home-columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.25rem; align-items: start; }
.home-main { display: grid; gap: 1.25rem; min-inline-size: 0; }
.values { display: grid; gap: 0.375rem; margin: 0; }
.value { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 0.75rem; align-items: center; min-block-size: 1.75rem; }
.value dd { margin: 0; min-inline-size: 0; }
.value .copy-text { display: flex; justify-content: space-between; }
.paste { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
.paste > h3 { margin-block: 0.75rem 0; }
.paste .code-text { max-block-size: 24rem; overflow: auto; }
.presets { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem 1rem; }
.preset .button { inline-size: 100%; }
.preset .muted { margin-block-start: 0.25rem; }
.clock-steps { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; margin-block-start: 1.25rem; }
.happened { display: grid; gap: 0.375rem; max-block-size: 18rem; margin: 0.75rem 0 0; padding: 0; list-style: none; overflow: auto; }
.happened li { display: grid; grid-template-columns: 11.5rem minmax(0, 1fr); gap: 0 1rem; }
.home .fold ul { margin: 0; }
@media (max-width: 60rem) {
  .home-columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 30rem) {
  .presets, .value, .happened li { grid-template-columns: minmax(0, 1fr); }
}
`;
