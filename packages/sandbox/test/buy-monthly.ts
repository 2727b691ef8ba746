import { load } from 'cheerio';
import { sandboxScenario } from '../src/index.js';
import type { SandboxUnderTest } from './sandbox-under-test.js';

const { apiKey, community, plans } = sandboxScenario;

/** Buys the monthly plan for an email address, on the hosted checkout page. */
export async function buyMonthly(
  service: SandboxUnderTest,
  email: string,
  method = 'card-4242',
): Promise<void> {
  const opened = await service.request('/api/checkout/buy-plan', {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      communityId: community.id,
      pricingPlanId: plans.monthly.id,
      externalId: `order-of-${email}`,
      email,
      successUrl: 'http://localhost:4401/paid',
      cancelUrl: 'http://localhost:4401/cancelled',
    }),
  });
  const { data } = (await opened.json()) as { data: { checkoutUrl: string } };
  const path = data.checkoutUrl.replace(service.baseUrl, '');
  const browser = service.browser();
  const $ = load(await (await browser.get(path)).text());
  const fields = $('form input[type="hidden"]')
    .toArray()
    .map((input) => [$(input).attr('name') ?? '', $(input).attr('value') ?? '']);
  const paid = await browser.post(`${path}/pay`, { ...Object.fromEntries(fields), method });
  if (!paid.headers.get('location')?.endsWith('?paid'))
    throw new Error(`The payment failed: ${paid.status}.`);
}
