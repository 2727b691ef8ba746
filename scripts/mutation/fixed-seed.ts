import fc from 'fast-check';

// @fast-check/vitest writes the seed into the name of a test. Stryker finds tests by name, so the seed must not change.
fc.configureGlobal({ seed: 20_261_123 });
