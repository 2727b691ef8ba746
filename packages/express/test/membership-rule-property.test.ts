import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import {
  type DirectoryRecord,
  type MembershipDirectory,
  type MembershipRule,
  memoryDirectory,
  type SiteMembership,
} from '../src/index.js';
import { MembershipCache } from '../src/memberships/membership-cache.js';
import { compileRule } from '../src/memberships/membership-rule.js';
import { siteMembership } from '../src/memberships/site-membership.js';
import { manualClock } from './manual-clock.js';

// Few values, so that rules and memberships meet often.
const MEMBERSHIP_IDS = ['aaaa-0001', 'AAAA-0002', 'aaaa-0003', 'AaAa-0004'] as const;
const COMMUNITIES = ['c0c0-0001', 'C0C0-0002'] as const;
const PRODUCTS = ['b0b0-0001', 'B0B0-0002'] as const;
const PLANS = ['d0d0-0001', 'D0D0-0002'] as const;
const TYPES = ['community', 'digital_product', 'agency'] as const;
const NOW = Date.UTC(2030, 0, 1);

/** The same id, in some case. */
const inSomeCase = (ids: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...ids), fc.constantFrom('lower', 'upper', 'same'))
    .map(([id, letters]) =>
      letters === 'lower' ? id.toLowerCase() : letters === 'upper' ? id.toUpperCase() : id,
    );
const oneOrMore = (value: fc.Arbitrary<string>) =>
  fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 2 }));

const membership = fc.record({
  id: inSomeCase(MEMBERSHIP_IDS),
  productType: fc.constantFrom(...TYPES),
  isActive: fc.constantFrom(true, true, true, false),
  validFrom: fc.constant('2029-01-01T00:00:00.000Z'),
  validUntil: fc.constantFrom(
    null,
    undefined,
    new Date(NOW + 1).toISOString(),
    new Date(NOW).toISOString(),
    '2029-06-01T00:00:00.000Z',
    'no date',
  ),
});

const record = fc.tuple(
  inSomeCase(MEMBERSHIP_IDS),
  fc.oneof(
    inSomeCase(COMMUNITIES).map((communityId) => ({ communityId })),
    inSomeCase(PRODUCTS).map((productId) => ({ productId })),
  ),
  fc.option(inSomeCase(PLANS)),
);

/** A rule without functions, or a predicate described by the criterion that it checks. */
type Plain =
  | { kind: 'criteria'; fields: Record<string, string | string[]>; from?: 'any-seller' }
  | { kind: 'predicate'; minimum: number }
  | { kind: 'any' | 'all'; parts: Plain[] };

const siteFields = fc
  .record(
    {
      communityId: oneOrMore(inSomeCase(COMMUNITIES)),
      productId: oneOrMore(inSomeCase(PRODUCTS)),
      pricingPlanId: oneOrMore(inSomeCase(PLANS)),
      membershipId: oneOrMore(inSomeCase(MEMBERSHIP_IDS)),
      productType: oneOrMore(fc.constantFrom(...TYPES)),
    },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).some((key) => key !== 'productType'))
  .filter((fields) => !('communityId' in fields && 'productId' in fields));
const anySellerFields = fc
  .record(
    {
      membershipId: oneOrMore(inSomeCase(MEMBERSHIP_IDS)),
      productType: oneOrMore(fc.constantFrom(...TYPES)),
    },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).length > 0);

const { rule } = fc.letrec<{ rule: Plain }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    siteFields.map((fields): Plain => ({ kind: 'criteria', fields })),
    anySellerFields.map((fields): Plain => ({ kind: 'criteria', fields, from: 'any-seller' })),
    fc.integer({ min: 1, max: 3 }).map((minimum): Plain => ({ kind: 'predicate', minimum })),
    fc
      .tuple(
        fc.constantFrom('any' as const, 'all' as const),
        fc.array(tie('rule'), { minLength: 1, maxLength: 3 }),
      )
      .map(([kind, parts]): Plain => ({ kind, parts })),
  ),
}));

/** The rule as an app writes it. */
function written(plain: Plain): MembershipRule {
  switch (plain.kind) {
    case 'criteria':
      return { ...plain.fields, ...(plain.from && { from: plain.from }) } as MembershipRule;
    case 'predicate':
      return (memberships) => memberships.length >= plain.minimum;
    default: {
      const parts = plain.parts.map(written);
      return plain.kind === 'any' ? { any: parts } : { all: parts };
    }
  }
}

type Running = Pick<SiteMembership, 'id' | 'productType'>;

/** The meaning of a rule, written down once more: which running memberships count, and when they satisfy it. */
function isSatisfied(plain: Plain, running: readonly Running[], entries: Entries): boolean {
  const ofTheSite = running.filter(({ id }) => entries.has(id.toLowerCase()));
  switch (plain.kind) {
    case 'predicate':
      return ofTheSite.length >= plain.minimum;
    case 'any':
      return plain.parts.some((part) => isSatisfied(part, running, entries));
    case 'all':
      return plain.parts.every((part) => isSatisfied(part, running, entries));
    case 'criteria':
      return (plain.from === undefined ? ofTheSite : running).some((each) => {
        const entry = entries.get(each.id.toLowerCase());
        const values: Record<string, string | null | undefined> = {
          membershipId: each.id,
          productType: each.productType,
          communityId: entry?.communityId,
          productId: entry?.productId,
          pricingPlanId: entry?.pricingPlanId,
        };
        return Object.entries(plain.fields).every(([field, wanted]) =>
          [wanted].flat().some((one) => one.toLowerCase() === values[field]?.toLowerCase()),
        );
      });
  }
}

type Entries = Awaited<ReturnType<MembershipDirectory['find']>>;

const isRunning = ({ isActive, validUntil }: { isActive: boolean; validUntil?: string | null | undefined }) =>
  isActive && ((validUntil ?? null) === null || Date.parse(validUntil ?? '') > NOW);

describe('a gate', () => {
  it('opens exactly when a running membership known to be the site’s satisfies the rule', async () => {
    let opened = 0;
    let shut = 0;
    const settings = fuzzRuns(2_000);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(membership, { selector: ({ id }) => id.toLowerCase(), maxLength: 4 }),
        fc.uniqueArray(record, { selector: ([id]) => id.toLowerCase(), maxLength: 4 }),
        rule,
        async (memberships, records, plain) => {
          const clock = manualClock(NOW);
          const directory = memoryDirectory();
          await directory.record(
            records.map(
              ([membershipId, source, pricingPlanId]): DirectoryRecord => ({
                membershipId,
                ...source,
                pricingPlanId,
              }),
            ),
          );
          const entries = await directory.find(memberships.map(({ id }) => id));
          const listed = memberships.map(({ validUntil, ...each }) => ({
            ...each,
            ...(validUntil === undefined ? {} : { validUntil }),
          }));
          const cache = new MembershipCache(clock);
          const snapshot = cache.remember(
            'ada',
            listed.map((each) => siteMembership(each, entries.get(each.id.toLowerCase()))),
            cache.nextRequest(),
          );
          const compiled = compileRule(written(plain));
          const expected = isSatisfied(plain, memberships.filter(isRunning), entries);
          expect(compiled.matches(snapshot)).toBe(expected);
          expect(compiled.matches(cache.fresh('ada') ?? snapshot)).toBe(expected);
          expect(compiled.matches(snapshot.asStale())).toBe(expected);
          if (expected) opened += 1;
          else shut += 1;

          // The directory explains a rejection only by running memberships that it does not contain.
          for (const candidate of compiled.candidates(snapshot)) {
            expect(candidate.isKnown).toBe(false);
            expect(memberships.filter(isRunning).map(({ id }) => id)).toContain(candidate.id);
          }
          // Memberships that end are no longer counted, in a snapshot that was taken before as well.
          clock.advance(1);
          const later = memberships
            .filter(isRunning)
            .filter(({ validUntil }) => (validUntil ?? null) === null);
          expect(compiled.matches(snapshot.asStale())).toBe(isSatisfied(plain, later, entries));
        },
      ),
      settings,
    );
    // Both results occur often enough to mean something.
    expect(Math.min(opened, shut)).toBeGreaterThan(settings.numRuns / 20);
  });
});
