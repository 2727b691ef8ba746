import { type DirectoryEntry, type MembershipDirectory, membershipDirectory } from '../src/index.js';

/** The community of the shops in tests. */
export const COMMUNITY = '5eed0000-0000-4000-8000-0000000000c0';
/** A product of the shop. */
export const PRODUCT = '5eed0000-0000-4000-8000-0000000000d0';
/** A rule for the members of the shop. */
export const SHOP_MEMBERS = { communityId: COMMUNITY };

/** The fields that the directory adds to a membership of the shop's community. */
export const OF_THE_SHOP = {
  isKnown: true,
  communityId: COMMUNITY,
  productId: null,
  pricingPlanId: null,
};

/**
 * A directory for tests of other topics: it contains every membership, as one of the shop's community. Recorded ones
 * have the recorded content.
 */
export function everyMembershipOfTheShop(): MembershipDirectory {
  const recorded = new Map<string, DirectoryEntry>();
  return membershipDirectory({
    find: async (ids) =>
      ids.map(
        (membershipId) =>
          recorded.get(membershipId) ?? {
            membershipId,
            communityId: COMMUNITY,
            productId: null,
            pricingPlanId: null,
          },
      ),
    async record(statements) {
      for (const { plan, ...entry } of statements) {
        recorded.set(entry.membershipId, { ...entry, pricingPlanId: plan?.id ?? null });
      }
      return { kind: 'recorded' };
    },
    async remove() {},
    async close() {},
  });
}
