import { type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { expect, type Locator, type Page } from '@playwright/test';

const { apiKey, community, users } = sandboxScenario;

/** Sends a call of the service, and waits for its entry. Returns the id of the entry. */
export async function call(
  { control, baseUrl }: RunningSandbox,
  path: string,
  init?: RequestInit,
): Promise<string> {
  const newest = () => control.requests.list({ limit: 1 }).requests[0]?.id;
  const before = newest();
  const response = await fetch(`${baseUrl}${path}`, init);
  await response.arrayBuffer();
  await expect.poll(newest).not.toBe(before);
  return newest() ?? '';
}

/** Provisions a membership for Ben, always with the same order. */
export function provision(sandbox: RunningSandbox): Promise<string> {
  return call(sandbox, '/membership/provision-external', {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      communityId: community.id,
      externalOrderId: 'order-1',
      email: users.ben.email,
    }),
  });
}

/** Opens the request log, and waits until it is live. */
export async function openLog(page: Page, { baseUrl }: RunningSandbox, query = ''): Promise<void> {
  await page.goto(`${baseUrl}/sandbox/requests${query}`);
  await expect(page.locator('#live')).toHaveText('Live');
}

export const logList = (page: Page): Locator => page.getByRole('listbox');
export const logRows = (page: Page): Locator => logList(page).getByRole('option');
export const selectedRow = (page: Page): Locator => logList(page).getByRole('option', { selected: true });
/** The entry beside the list. */
export const openedEntry = (page: Page): Locator => page.getByRole('region', { name: /^Request req_/ });
