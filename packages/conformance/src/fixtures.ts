export { type Fixtures, type FixturesInput, fixturesSchema } from './provider/session/fixtures.js';
