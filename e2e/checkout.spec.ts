import { sandboxScenario } from '@latchkey/sandbox';
import { expectNoViolations } from './axe.js';
import { rest } from './calm-press.js';
import { JOURNEY, LONG } from './levels.js';
import { openCheckout } from './open-checkout.js';
import { expect, signInAtService, test, type World } from './world.js';

const { community, plans, products, users } = sandboxScenario;

/**
 * The pages of a shop that the checkout leads back to. The page after a payment redirects to another origin.
 */
async function returnPages(world: World) {
  const thanks = await world.site(() => '<h1>Thank you</h1>');
  const cart = await world.site(() => '<h1>Your cart</h1>');
  const tracker = await world.redirect(thanks.url);
  return { successUrl: tracker.url, thanks, cancelUrl: cart.url };
}

test('a buyer pays by card and returns to the shop, also through a redirect [webhook.payment-success]', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  const { successUrl, cancelUrl, thanks } = await returnPages(world);
  const checkoutUrl = await openCheckout(world, { successUrl, cancelUrl });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto(checkoutUrl);
  await expect(page.getByRole('main')).toContainText('€9.00 every 30 days until you cancel');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(thanks.url);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(refused).toEqual([]);

  // Going back, or opening a bookmark, shows that it is paid.
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('We’ve mailed a receipt to b•••@example.com.');
  await expectNoViolations(page);
  await page.goto(checkoutUrl);
  await page.getByRole('link', { name: 'Continue to' }).click();
  await expect(page).toHaveURL(thanks.url);
  await signInAtService(page, world, users.ben.name);
  await page.goto(`${world.service.baseUrl}/account`);
  await expect(page.getByRole('main')).toContainText(community.name);
});

test('a double click or a second tab pays only once', async ({ page, context, world }) => {
  const { successUrl, cancelUrl, thanks } = await returnPages(world);
  const checkoutUrl = await openCheckout(world, { successUrl, cancelUrl });
  const other = await context.newPage();
  await Promise.all([page.goto(checkoutUrl), other.goto(checkoutUrl)]);
  const pay = page.getByRole('button', { name: 'Pay €9.00' });
  await rest(pay);
  await pay.dblclick();
  await expect(page).toHaveURL(thanks.url);
  await other.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(other).toHaveURL(thanks.url);
  await signInAtService(page, world, users.dana.name);
  await page.goto(`${world.service.baseUrl}/seller/communities/${community.id}/sales`);
  await expect(page.getByRole('main').getByText('€9.00')).toHaveCount(1);
});

test('a declined card shows a message, and another card pays [webhook.payment-failed]', async ({
  page,
  world,
}) => {
  const { successUrl, cancelUrl, thanks } = await returnPages(world);
  await page.goto(await openCheckout(world, { successUrl, cancelUrl }));
  await page.getByLabel('Test card ending in 0002').check();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page.getByRole('alert')).toContainText('Your card was declined and nothing was charged');
  await expect(page).toHaveTitle(/^Payment failed/);
  await expect(page.getByLabel('Test card ending in 0002')).toBeChecked();
  await expectNoViolations(page);
  await page.getByLabel('Test card ending in 4242').check();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(thanks.url);
});

test('the seller sees the status of a payment and its reason, in a narrow window too', async ({
  page,
  world,
}) => {
  const { successUrl, cancelUrl } = await returnPages(world);
  await page.goto(await openCheckout(world, { successUrl, cancelUrl }));
  await page.getByLabel('Test card ending in 9995').check();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await signInAtService(page, world, users.dana.name);
  await page.setViewportSize({ width: 320, height: 780 });
  await page.goto(`${world.service.baseUrl}/seller/communities/${community.id}/sales`);
  // The longest reason. Its payment needs two orders that are paid at the same moment.
  await page.getByText('insufficient funds').evaluate((reason) => {
    reason.textContent = 'gave no access, and is refunded';
  });
  const status = page.getByText('Failed', { exact: true });
  expect(await status.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('a buyer who cancels returns to the shop and can still pay later [buy-plan.cancel-url]', async ({
  page,
  world,
}) => {
  const { successUrl, cancelUrl, thanks } = await returnPages(world);
  const checkoutUrl = await openCheckout(world, { successUrl, cancelUrl });
  await page.goto(checkoutUrl);
  await page.getByRole('link', { name: /cancel and go back/i }).click();
  await expect(page).toHaveURL(cancelUrl);
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible();
  expect(await page.evaluate(() => document.referrer)).toBe('');
  await page.goto(checkoutUrl);
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page).toHaveURL(thanks.url);
});

test('a crypto payment succeeds or fails with its transfer', async ({ page, world }) => {
  const { successUrl, cancelUrl, thanks } = await returnPages(world);
  const pricingPlanId = plans.lifetime.id;
  await page.goto(await openCheckout(world, { pricingPlanId, successUrl, cancelUrl }));
  await expect(page.getByRole('main')).toContainText('199.00 test EUR');
  await expectNoViolations(page);
  await page.getByLabel('No transfer arrives').check();
  await page.getByRole('button', { name: 'Confirm that I sent it' }).click();
  await expect(page.getByRole('alert')).toContainText('The transfer did not arrive in time');
  await page.getByLabel('The transfer arrives', { exact: true }).check();
  await page.getByRole('button', { name: 'Confirm that I sent it' }).click();
  await expect(page).toHaveURL(thanks.url);
});

test('a visitor signs in, buys a product and receives it [webhook.digital-product-purchase]', async ({
  page,
  world,
}) => {
  const productUrl = `${world.service.baseUrl}/products/${products.roastingCourse.id}`;
  await page.goto(productUrl);
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Sign in to buy' }).click();
  await page.getByRole('button', { name: users.ben.email }).click();
  await expect(page).toHaveURL(productUrl);
  await page.getByRole('button', { name: 'Buy' }).click();
  await page.getByRole('button', { name: 'Pay €79.00' }).click();
  await expect(page.getByRole('main')).toContainText('Roasting at Home is yours.');
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Continue to Roasting at Home' }).click();
  await expect(page).toHaveURL(productUrl);
  await expect(page.getByRole('main')).toContainText('You have lifetime access');
  await expectNoViolations(page);
});

test('a member buys a plan on the community’s page, sees its renewal, and cancels it', {
  tag: JOURNEY,
}, async ({ page, world }) => {
  const communityUrl = `${world.service.baseUrl}/communities/${community.id}`;
  await page.goto(`${world.service.baseUrl}/sandbox`);
  await page.getByRole('button', { name: `Sign in as ${users.ben.name}` }).click();
  await page.getByRole('link', { name: community.name }).click();
  await expect(page).toHaveURL(communityUrl);
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Buy Monthly' }).click();
  await page.getByRole('button', { name: 'Pay €9.00' }).click();
  await expect(page.getByRole('main')).toContainText('You’re a member.');
  await page.getByRole('link', { name: `Continue to ${community.name}` }).click();
  await expect(page).toHaveURL(communityUrl);
  await expect(page.getByRole('main')).toContainText('Renews on');
  await expect(page.getByRole('button', { name: 'Monthly' })).toHaveCount(0);
  await expectNoViolations(page);

  await page.goto(`${world.service.baseUrl}/sandbox`);
  await page.getByRole('button', { name: '+31 days' }).click();
  await signInAtService(page, world, users.ben.name);
  await page.goto(communityUrl);
  await expect(page.getByRole('main')).toContainText('Renews on');

  await page.goto(`${world.service.baseUrl}/account`);
  await page.getByRole('link', { name: /cancel/i }).click();
  await page.getByRole('button', { name: /cancel/i }).click();
  await page.goto(communityUrl);
  await expect(page.getByRole('main')).not.toContainText('Renews on');
  await expect(page.getByRole('main')).toContainText('doesn’t renew');
  await expect(page.getByRole('button', { name: 'Extend Monthly' })).toBeVisible();
});

test('the checkout is one column with the order first on a narrow screen, and two columns on a wide one', {
  tag: LONG,
}, async ({ page, world }) => {
  const { successUrl, cancelUrl } = await returnPages(world);
  await page.goto(await openCheckout(world, { successUrl, cancelUrl }));
  const boxOf = async (name: string) => {
    const box = await page.getByRole('region', { name }).boundingBox();
    if (box === null) throw new Error(`The region "${name}" is not visible.`);
    return box;
  };
  for (const width of [320, 390, 768, 899]) {
    await page.setViewportSize({ width, height: 780 });
    const [order, payment] = [await boxOf('Your order'), await boxOf('Payment')];
    expect(order.y + order.height, `${width} px`).toBeLessThanOrEqual(payment.y);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  for (const width of [900, 1280]) {
    await page.setViewportSize({ width, height: 780 });
    const [order, payment] = [await boxOf('Your order'), await boxOf('Payment')];
    expect(order.x + order.width, `${width} px`).toBeLessThan(payment.x);
  }
  await expectNoViolations(page);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a buyer chooses a method by a click anywhere in its row, and pays', async ({ page, world }) => {
    const { successUrl, cancelUrl, thanks } = await returnPages(world);
    await page.goto(await openCheckout(world, { successUrl, cancelUrl }));
    const row = page.getByText('Pays now, and is declined at the first renewal');
    const { x, y, width } = (await row.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.click(x + width - 5, y + 5);
    await expect(page.getByLabel('Test card ending in 0341')).toBeChecked();
    await page.getByRole('button', { name: 'Pay €9.00' }).click();
    await expect(page).toHaveURL(thanks.url);
  });
});
