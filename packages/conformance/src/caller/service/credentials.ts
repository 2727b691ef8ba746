/**
 * Ids and secrets of the scripted service. They're the same in every run, so an app is configured only once. They're
 * public: no real service accepts them.
 */
export const SCRIPTED_IDS = {
  communityId: 'c0f0c0f0-0000-4000-8000-0000000000c0',
  pricingPlanId: 'c0f0c0f0-0000-4000-8000-0000000000d0',
  /** Membership of every member who signs in. */
  membershipId: 'c0f0c0f0-0000-4000-8000-0000000000a0',
  confidentialClientId: `oac_${'c0f0'.repeat(6)}`,
  clientSecret: `ocs_${'c0f0'.repeat(12)}`,
  publicClientId: `oac_${'d0f0'.repeat(6)}`,
  webhookSecret: 'c0f0ab1e'.repeat(8),
} as const;

/** API key of the scripted service, after the service's prefix. */
export const SCRIPTED_KEY_ENDING = 'c0f0'.repeat(11);

/** Returns the environment variables that the kit starts an app with, by name. */
export function scriptedEnvironment(serviceUrl: string, apiKey: string): Record<string, string> {
  return {
    LATCHKEY_SERVICE_URL: serviceUrl,
    LATCHKEY_API_KEY: apiKey,
    LATCHKEY_CLIENT_ID: SCRIPTED_IDS.confidentialClientId,
    LATCHKEY_CLIENT_SECRET: SCRIPTED_IDS.clientSecret,
    LATCHKEY_PUBLIC_CLIENT_ID: SCRIPTED_IDS.publicClientId,
    LATCHKEY_COMMUNITY_ID: SCRIPTED_IDS.communityId,
    LATCHKEY_PRICING_PLAN_ID: SCRIPTED_IDS.pricingPlanId,
    LATCHKEY_MEMBERSHIP_ID: SCRIPTED_IDS.membershipId,
    LATCHKEY_WEBHOOK_SECRET: SCRIPTED_IDS.webhookSecret,
  };
}
