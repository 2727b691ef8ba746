import type { Service } from './service.js';

/** Pays a checkout as its buyer's browser would: opens the page, and posts its form with a test card or transfer. */
export async function payCheckout({ server }: Service, checkoutUrl: string, method: string): Promise<void> {
  const page = await (await fetch(checkoutUrl)).text();
  const fields = [...page.matchAll(/<input\b[^>]*\btype="hidden"[^>]*>/g)].map(([input]) => [
    attribute(input, 'name'),
    attribute(input, 'value'),
  ]);
  const answer = await fetch(`${checkoutUrl}/pay`, {
    method: 'POST',
    headers: { origin: new URL(server.baseUrl).origin },
    body: new URLSearchParams({ ...Object.fromEntries(fields), method }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`Payment failed: ${answer.status} ${await answer.text()}`);
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
