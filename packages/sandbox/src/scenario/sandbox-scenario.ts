import { DEFAULT_SERVICE_NAMES, type ServiceNames } from '@latchkey/contract/constants';

/** The sample data that `seedSandbox` writes. The ids are constant, so documentation, demos and tests can use them. */
export const sandboxScenario = {
  users: {
    /** Has a lifetime membership in the community, and a product for 30 days. */
    ada: {
      id: '5eed0000-0000-4000-8000-00000000000a',
      email: 'ada@example.com',
      name: 'Ada Member',
      messengerUserId: 1001,
    },
    /** Has no membership. */
    ben: {
      id: '5eed0000-0000-4000-8000-00000000000b',
      email: 'ben@example.com',
      name: 'Ben Visitor',
      messengerUserId: 1002,
    },
    /** Had a membership in the community that expired a week ago. */
    cleo: { id: '5eed0000-0000-4000-8000-00000000000c', email: 'cleo@example.com', name: 'Cleo Lapsed' },
    /** Owns the community, the products and both clients. */
    dana: { id: '5eed0000-0000-4000-8000-00000000000d', email: 'dana@example.com', name: 'Dana Owner' },
    /** Has a lifetime membership in another seller's community, but none of Dana's. Every gate of a shop rejects Eve. */
    eve: { id: '5eed0000-0000-4000-8000-00000000000e', email: 'eve@example.com', name: 'Eve Elsewhere' },
    /** Owns the other community. */
    finn: { id: '5eed0000-0000-4000-8000-00000000000f', email: 'finn@example.com', name: 'Finn Fisher' },
  },
  community: { id: '5eed0000-0000-4000-8000-0000000000c0', name: 'Ember & Oak Coffee Club' },
  /** Another seller's community. */
  otherCommunity: { id: '5eed0000-0000-4000-8000-0000000000c9', name: 'Tide & Tackle Club' },
  products: {
    brewGuide: {
      id: '5eed0000-0000-4000-8000-0000000000b1',
      name: 'The Brew Guide',
      slug: 'the-brew-guide',
      type: 'ebook',
      priceMinor: 1_900,
      description:
        'Grind, ratio and water for six ways to brew at home.\nA 96-page e-book as PDF and EPUB. New editions are free.',
    },
    roastingCourse: {
      id: '5eed0000-0000-4000-8000-0000000000b2',
      name: 'Roasting at Home',
      slug: 'roasting-at-home',
      type: 'course',
      priceMinor: 7_900,
      description:
        'From green beans to the first crack in your own oven.\nEight video lessons of 20 minutes, a shopping list and a roast log.',
    },
  },
  memberships: {
    adaCommunity: { id: '5eed0000-0000-4000-8000-0000000000a1' },
    adaProduct: { id: '5eed0000-0000-4000-8000-0000000000a2' },
    cleoCommunity: { id: '5eed0000-0000-4000-8000-0000000000a3' },
    eveElsewhere: { id: '5eed0000-0000-4000-8000-0000000000a4' },
  },
  plans: {
    /** Paid by card, renewed by a subscription. */
    monthly: {
      id: '5eed0000-0000-4000-8000-0000000000d1',
      name: 'Monthly',
      priceMinor: 900,
      periodDays: 30,
      renews: true,
      description: 'A seat at the table, month by month.',
      benefits: [
        'A seat at the Friday tasting',
        'A bag of the week’s lot',
        'The recipe for every cup',
        'The course “From the fire to the cup”',
      ],
    },
    /** Paid once, in crypto. */
    lifetime: {
      id: '5eed0000-0000-4000-8000-0000000000d2',
      name: 'For life',
      priceMinor: 19_900,
      provider: 'crypto',
      description: 'Pay once and keep your seat.',
      benefits: [
        'Everything in Monthly, for good',
        'Your name on a mug at the table',
        'A bag of the spring harvest every year',
      ],
    },
  },
  /** Opens a week after seeding, with 100 slots. */
  dropSlot: { id: '5eed0000-0000-4000-8000-0000000000e1', name: 'Spring harvest', slots: 100 },
  /**
   * Dana's key with every permission, in a sandbox without the option `serviceNames`. It's public, and only works in a
   * sandbox.
   */
  apiKey: sandboxApiKeyOf(DEFAULT_SERVICE_NAMES),
  messengerBot: 'ember_and_oak_bot',
  /** Dana's webhooks to the built-in receiver. The secrets are public, and only sign in a sandbox. */
  webhooks: {
    community: { id: '5eed0000-0000-4000-8000-0000000000f1', secret: '5eed00f1'.repeat(8) },
    brewGuide: { id: '5eed0000-0000-4000-8000-0000000000f2', secret: '5eed00f2'.repeat(8) },
    roastingCourse: { id: '5eed0000-0000-4000-8000-0000000000f3', secret: '5eed00f3'.repeat(8) },
  },
  publicClient: { clientId: 'oac_a1b2c3d4e5f60718293a4b5c', name: 'Ember & Oak' },
  confidentialClient: {
    clientId: 'oac_c0ffee00c0ffee00c0ffee00',
    /** Public: it only works in a sandbox. */
    clientSecret: `ocs_${'c0ffee00'.repeat(6)}`,
    name: 'Ember & Oak',
  },
} as const;

export const busyPlans = {
  yearly: {
    id: '5eed0000-0000-4000-8000-0000000000d3',
    name: 'Yearly',
    priceMinor: 9_000,
    periodDays: 365,
    renews: true,
    description: 'Twelve months for the price of ten.',
    benefits: ['Everything in Monthly', 'Two months free', 'A tasting box on your anniversary'],
  },
  season: {
    id: '5eed0000-0000-4000-8000-0000000000d4',
    name: 'Season ticket',
    priceMinor: 2_400,
    periodDays: 90,
    description: 'One season, no renewal.',
    benefits: ['A seat at the Roaster’s Table for 90 days', 'The members’ chat'],
  },
} as const;

/** Returns Dana's API key in a sandbox with these names: the prefix, and the same 43 characters in every sandbox. */
export function sandboxApiKeyOf({ apiKeyPrefix }: Pick<ServiceNames, 'apiKeyPrefix'>): string {
  return `${apiKeyPrefix}${'sandbox'.repeat(6)}0`;
}
