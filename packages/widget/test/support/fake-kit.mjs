// The kit's endpoints for sessions, plans and checkouts in browser tests, as middleware of the test server. The name of a backend and
// the id of a plan name their behaviour, so that tests share no state: `/kit/shop`, `/kit/empty`, `plan-refused`, …
import { readRequest } from '@latchkey/conformance/scripted-service';

const plan = (id, rest = {}) => ({
  id,
  communityId: 'c0',
  name: `Name of ${id}`,
  price: '€9',
  term: 'per month',
  ...rest,
});

const PLANS = {
  shop: [
    plan('plan-ok', { description: 'Everything for members.' }),
    plan('plan-second'),
    plan('PLAN-other', { communityId: 'C1' }),
  ],
  empty: [],
  hostile: [
    plan('plan-ok', { name: '<img src=x onerror="window.hacked=1">', description: '<b>bold</b>' }),
    { id: 7, name: 'no text' },
    null,
    'text',
    plan('plan-numbers', { price: 9, term: null }),
  ],
};

const ERRORS = {
  'plan-unknown': [404, { error: 'plan_unknown' }],
  'plan-email': [422, { error: 'email_required' }],
  'plan-member': [409, { error: 'already_member', continueUrl: '/members' }],
  'plan-paid': [409, { error: 'already_paid', continueUrl: '/kit/shop/checkout/return' }],
  'plan-elsewhere': [409, { error: 'already_paid', continueUrl: 'https://evil.example/' }],
  'plan-refused': [502, { error: 'checkout_refused', message: 'The key was refused.' }],
  'plan-down': [503, { error: 'service_unavailable' }],
  'plan-signed-out': [401, { error: 'sign_in_required' }],
  'plan-scope': [
    403,
    { error: 'insufficient_scope', signInUrl: '/kit/shop/login?returnTo=plans-page&scope=memberships.read' },
  ],
  'plan-broken': [500, 'Internal Server Error'],
  'plan-proxy': [405, '<h1>Method Not Allowed</h1>'],
  'plan-script': [200, { checkoutUrl: 'javascript:window.hacked=1' }],
  'plan-relative': [200, { checkoutUrl: '//evil.example/' }],
  'plan-nothing': [200, {}],
};

export async function fakeKit(context, next) {
  const [, backend, endpoint] = /^\/kit\/([\w-]+)\/(.+)$/.exec(context.path) ?? [];
  if (!backend) return next();
  const isForm = /form-urlencoded/.test(context.get('content-type'));
  if (endpoint === 'plans') answer(context, ...plansOf(backend));
  else if (endpoint === 'session' && /^(members|nobody|recovers)/.test(backend))
    answer(context, ...sessionOf(backend));
  else if (endpoint === 'page') {
    if (context.query.policy) context.set('content-security-policy', context.query.policy);
    answer(context, 200, pageWith(context.query.scripts.split(' ')));
  } else if (endpoint === 'checkout') await checkout(context, isForm);
  else
    answer(
      context,
      200,
      `<!doctype html><title>${endpoint}</title><p id="address">${asText(context.url)}</p>`,
    );
}

/** A page with these script files. `module:` before a name loads it as a module. The page records its console errors. */
function pageWith(scripts) {
  const tags = scripts.map((script) => {
    const [, type, name] = /^(module:)?(.*)$/.exec(script);
    return `<script ${type ? 'type="module"' : 'defer'} src="/widget/${name}.js"></script>`;
  });
  return `<!doctype html><html lang="en"><title>A page</title>
    <script>
      window.errors = [];
      console.error = (text) => errors.push(text);
      addEventListener('error', ({ message }) => errors.push(message));
    </script>${tags.join('')}
    <latchkey-plans backend="/kit/shop"></latchkey-plans></html>`;
}

const failedOnce = new Set();

/** `members` is signed in, `nobody` isn't, and `recovers-…` is signed in from the second request on. */
function sessionOf(backend) {
  if (backend === 'nobody') return [200, { signedIn: false }];
  if (backend !== 'members' && !failedOnce.has(backend)) {
    failedOnce.add(backend);
    return [503, {}];
  }
  const membership = { id: 'm0', productType: 'community', isActive: true, isKnown: true, communityId: 'c0' };
  return [
    200,
    {
      signedIn: true,
      user: { sub: 'u0', email: 'ada@example.com' },
      memberships: [membership],
      expiresAt: Date.now() + 3600_000,
    },
  ];
}

function plansOf(backend) {
  if (backend === 'missing') return [404, { error: 'not_found' }];
  if (backend === 'down') return [503, { error: 'service_unavailable' }];
  if (backend === 'strange') return [200, '<p>Sign in</p>'];
  return [200, { plans: PLANS[backend] ?? PLANS.shop }];
}

async function checkout(context, isForm) {
  const { form } = await readRequest(context.req);
  if (isForm)
    return answer(context, 422, `<!doctype html><title>E-mail</title><p id="posted">${asText(form)}</p>`);
  const id = form.get('plan');
  const checkoutUrl = `${context.origin}/kit/shop/checkout-page?plan=${id}`;
  answer(context, ...(ERRORS[id] ?? [200, { checkoutUrl }]));
}

function answer(context, status, body) {
  context.status = status;
  context.type = typeof body === 'string' ? 'html' : 'json';
  context.body = typeof body === 'string' ? body : JSON.stringify(body);
}

function asText(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
