/** Client of a soak. */
interface SeedClient {
  clientId: string;
  clientSecret?: string;
  type: 'public' | 'confidential';
}

/** Shape of {@link SEED}. */
interface Seed {
  owner: { id: string; email: string };
  community: { id: string; name: string };
  plan: { id: string; name: string };
  drop: { id: string; name: string };
  product: { id: string; name: string; slug: string; priceMinor: number; currency: string };
  apiKey: string;
  permissions: string[];
  redirectUri: string;
  clients: Record<'public' | 'confidential', SeedClient>;
  limits: string[];
}

/** Data that every soak starts with. The ids are constant, so that the flows and the log can name them. */
export const SEED: Seed = {
  owner: { id: '50a40000-0000-4000-8000-00000000000d', email: 'owner@soak.example' },
  community: { id: '50a40000-0000-4000-8000-0000000000c0', name: 'Soak Club' },
  plan: { id: '50a40000-0000-4000-8000-0000000000d2', name: 'For life' },
  drop: { id: '50a40000-0000-4000-8000-0000000000e1', name: 'Soak drop' },
  product: {
    id: '50a40000-0000-4000-8000-0000000000f3',
    name: 'Soak book',
    slug: 'soak-book',
    priceMinor: 1_500,
    currency: 'CHF',
  },
  apiKey: `svc_${'soaking'.repeat(6)}0`,
  permissions: [
    'MEMBERSHIP_READ',
    'MEMBERSHIP_WRITE',
    'MEMBERSHIP_PROVISION',
    'CHECKOUT_WRITE',
    'DROP_NOTIFICATION_WRITE',
  ],
  redirectUri: 'https://soak.example/callback',
  clients: {
    public: { clientId: 'oac_50a450a450a450a450a450a4', type: 'public' },
    confidential: {
      clientId: 'oac_c0ffeec0ffeec0ffeec0ffee',
      clientSecret: `ocs_${'50a4'.repeat(12)}`,
      type: 'confidential',
    },
  },
  /** Limits of sign-in codes. All virtual users have one address, so the run raises them. */
  limits: [
    'codesPerClientAndMailbox',
    'codesPerClient',
    'codesPerMailbox',
    'codesPerService',
    'wrongCodesPerClientAndMailbox',
    'wrongCodesPerClient',
    'wrongCodesPerMailbox',
    'wrongCodesPerService',
  ],
};
