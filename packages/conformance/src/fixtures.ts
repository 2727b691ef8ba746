export { type Fixtures, type FixturesInput, fixturesSchema } from './provider/fixtures/fixtures.js';
