import { PROVIDER_CHECKS, UNOBSERVABLE_RULES } from '@latchkey/conformance/provider';
import { REQUIREMENTS } from '@latchkey/contract/requirements';
import { describe, expect, it } from 'vitest';

const rules = REQUIREMENTS.filter(({ side }) => side !== 'caller').map(({ id }) => id);

describe('the checks of a service', () => {
  it('cover each rule of the service once, by a check or a reason', () => {
    const covered = [...PROVIDER_CHECKS.map(({ id }) => id), ...Object.keys(UNOBSERVABLE_RULES)];
    expect(covered.toSorted()).toEqual(rules.toSorted());
  });
});
