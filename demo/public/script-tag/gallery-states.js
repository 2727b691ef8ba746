// The states that the gallery shows: for each element, its groups of cells.
import {
  createStillCheckout,
  createStillSession,
  gateStates,
  loginStates,
  planOwner,
  plansStates,
} from '/latchkey-testing/testing.js';

const EVERYDAY = new Set([
  ...['checking', 'signed out', 'opening', 'waiting', 'exchanging', 'signed in', 'expired'],
  ...['signed in without e-mail or membership', 'popup closed', 'declined'],
  ...['loading', 'signed-out', 'locked', 'open'],
  ...['plans', 'no plans', 'signing in', 'opening the checkout', 'already a member', 'already paid'],
]);

const [community, product] = loginStates['signed in'].memberships;
const membershipNames = {
  [community.pricingPlanId]: 'The Roaster’s Table',
  [product.productId]: 'Brew guide',
};
const clientId = 'oac_a1b2c3d4e5f60718293a4b5c';
const { planId } = plansStates['signing in'];
const [otherPlan] = plansStates.plans.plans;

/** Returns the groups of an element: a heading, a text and the cells. Elements report called methods to `onCall`. */
export function groupsOf(element, onCall) {
  const still = (snapshot) => createStillSession(snapshot, { onCall });
  const checkout = (snapshot) => createStillCheckout(snapshot, { onCall });
  const loginCell = (name, { state = name, attributes = {}, opens = false } = {}) => ({
    name,
    tag: 'latchkey-login',
    attributes: { 'client-id': clientId, ...attributes },
    properties: { session: still(loginStates[state]) },
    setUp: `login.session = createStillSession(loginStates[${JSON.stringify(state)}]);`,
    imports: 'createStillSession, loginStates',
    opens,
  });
  const gateCell = (name) => ({
    name,
    tag: 'latchkey-gate',
    attributes: {},
    written: { backend: '/auth', community: community.communityId },
    content: 'Members see this: lot 31 is on the shelf behind the counter.',
    properties: { session: still(gateStates[name]) },
    setUp: `gate.session = createStillSession(gateStates[${JSON.stringify(name)}]);`,
    imports: 'createStillSession, gateStates',
  });
  const sellerCell = (kind, name, { state = name, owns = false, ...attributes } = {}) => {
    const isOne = kind === 'plans' && plansStates[state].planId !== undefined;
    return {
      name,
      tag: `latchkey-${kind}`,
      attributes: { backend: '/auth', ...((kind === 'join' || isOne) && { plan: planId }), ...attributes },
      properties: {
        checkout: checkout(plansStates[state]),
        session: still(owns ? planOwner : loginStates['signed out']),
      },
      setUp: `${kind}.checkout = createStillCheckout(plansStates[${JSON.stringify(state)}]);${
        owns ? `\n${kind}.session = createStillSession(planOwner);` : ''
      }`,
      imports: `createStillCheckout, ${owns ? 'createStillSession, planOwner, ' : ''}plansStates`,
    };
  };
  const menus = [
    loginCell('signed in, menu open', {
      state: 'signed in',
      attributes: { 'account-url': '/account', 'membership-names': JSON.stringify(membershipNames) },
      opens: true,
    }),
    loginCell('signed in without e-mail or membership, menu open', {
      state: 'signed in without e-mail or membership',
      opens: true,
    }),
  ];
  switch (element) {
    case 'gate':
      return split(Object.keys(gateStates).map(gateCell));
    case 'plans': {
      const [everyday, errors] = split([
        ...Object.keys(plansStates).map((name) => sellerCell('plans', name)),
        sellerCell('plans', 'one’s own plan', { state: 'plans', owns: true }),
      ]);
      const isWide = ({ attributes }) => attributes.plan === undefined;
      return [
        { ...everyday, cells: everyday.cells.filter(isWide), isWide: true },
        {
          id: 'buying',
          heading: 'While buying',
          text: 'The state of a purchase is in the card of its plan.',
          cells: everyday.cells.filter((cell) => !isWide(cell)),
        },
        errors,
      ];
    }
    case 'join':
      return split([
        sellerCell('join', 'ready', { state: 'plans' }),
        ...Object.keys(plansStates)
          .filter((name) => plansStates[name].planId)
          .map((name) => sellerCell('join', name)),
        sellerCell('join', 'one’s own plan', { state: 'plans', owns: true }),
        sellerCell('join', 'another plan of a member', {
          ...{ state: 'plans', owns: true },
          ...{ plan: otherPlan.id, community: otherPlan.communityId },
        }),
      ]);
    case 'variants':
      return variants(loginCell);
    default:
      return split([...Object.keys(loginStates).map((name) => loginCell(name)), ...menus]);
  }
}

function split(cells) {
  const isEveryday = ({ name, opens }) =>
    opens || EVERYDAY.has(name) || /^(one’s own|another plan|ready)/.test(name);
  return [
    {
      id: 'everyday',
      heading: 'Everyday',
      text: 'What visitors see when nothing is wrong.',
      cells: cells.filter(isEveryday),
    },
    {
      id: 'errors',
      heading: 'Errors',
      text: 'A visitor who can help reads the next step. Otherwise there is a code for the owner of the site.',
      cells: cells.filter((cell) => !isEveryday(cell)),
    },
  ];
}

function variants(loginCell) {
  const group = (id, heading, text, cells) => ({ id, heading, text, cells });
  const withSizes = (variant) =>
    ['small', 'medium', 'large'].map((size) =>
      loginCell(`${variant}, ${size}`, { state: 'signed out', attributes: { variant, size } }),
    );
  const inHeader = (name, state, attributes) => ({
    ...loginCell(name, { state, attributes }),
    isInHeader: true,
  });
  return [
    group('sizes', 'Variants and sizes', 'The button is as wide as its label.', [
      ...['filled', 'outlined', 'plain'].flatMap(withSizes),
      loginCell('full width, with a label of its own', {
        state: 'signed out',
        attributes: { 'full-width': '', label: 'Become a member' },
      }),
    ]),
    group('headers', 'In a header', 'The element reserves its space, so that signing in moves nothing.', [
      inHeader('signed out in a header', 'signed out', {}),
      inHeader('signed in in a header', 'signed in', {}),
      inHeader('plain in a header', 'signed out', { variant: 'plain' }),
      inHeader('plain and signed in in a header', 'signed in', { variant: 'plain' }),
      inHeader('compact in a header', 'signed out', { compact: '' }),
      inHeader('compact and signed in in a header', 'signed in', { compact: '' }),
    ]),
  ];
}
