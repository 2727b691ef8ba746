import { describe, expect, it } from 'vitest';
import { hasCheckpointRace } from './background-checkpoints.js';

describe('hasCheckpointRace', () => {
  it.each(['3.44.5', '3.45.0', '3.47.2', '3.49.9', '3.50.6', '3.51.0', '3.51.2'])(
    'is true for SQLite %s',
    (version) => {
      expect(hasCheckpointRace(version)).toBe(true);
    },
  );

  it.each(['3.44.6', '3.50.7', '3.51.3', '3.51.10', '3.52.0', '3.53.4', '4.0.0'])(
    'is false for SQLite %s',
    (version) => {
      expect(hasCheckpointRace(version)).toBe(false);
    },
  );
});
