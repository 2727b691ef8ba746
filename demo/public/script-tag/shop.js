import '/assets/how.js';
import '/assets/current-page.js';
import { onTime, serviceNow, timeLeft } from '/assets/countdown.js';

const find = (selector) => document.querySelector(selector);

// ── The visitor ────────────────────────────────────────────────────────────────────────────────

const greeting = find('#greeting');
const unknownVisitor = greeting?.textContent;

// The widget's events bubble to the document. This page uses them to greet the visitor.
document.addEventListener('latchkey-change', ({ detail }) => {
  const parts = detail.signedIn
    ? ['Welcome back, ', isolated(detail.user.email ?? 'friend')]
    : [unknownVisitor];
  greeting?.replaceChildren(...parts);
  fitLogin(detail.signedIn);
  showAccount(detail);
});

// A link to an element that isn't focusable scrolls the page but doesn't move the focus. This moves both.
find('[data-focus-sign-in]')?.addEventListener('click', () => {
  find('latchkey-login').focus();
});

function showAccount({ signedIn, user, memberships = [] }) {
  const section = find('#account');
  if (section === null) return;
  section.hidden = !signedIn;
  if (signedIn) {
    find('#account-email').replaceChildren('Signed in as ', isolated(user.email ?? 'a friend'));
    find('#account-memberships').replaceChildren(...memberships.map(membershipItem));
    if (memberships.length === 0)
      find('#account-memberships').append(item('This account has no active membership.'));
  }
  // A member is not sold a second membership here. Only a server can find out which seller it is from.
  const hasCommunity = signedIn && memberships.some(({ productType }) => productType === 'community');
  for (const part of document.querySelectorAll('[data-with-membership]')) part.hidden = !hasCommunity;
  for (const part of document.querySelectorAll('[data-without-membership]')) part.hidden = hasCommunity;
  const isMember =
    signedIn && memberships.some(({ id }) => id === find('latchkey-gate').getAttribute('membership'));
  find('[data-for-members]').hidden = !isMember;
  find('[data-for-visitors]').hidden = isMember;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The names that the menu of the sign-in button shows, by membership id. */
const membershipNames = JSON.parse(
  find('latchkey-login[membership-names]')?.getAttribute('membership-names') ?? '{}',
);

function membershipItem({ id, productType, validUntil }) {
  const kind = productType === 'community' ? 'A community membership' : 'A product';
  const until = validUntil ? ['until ', isolated(day.format(new Date(validUntil)))] : ['for life'];
  return item(isolated(membershipNames[id] ?? kind), ', ', ...until);
}

function item(...parts) {
  const line = document.createElement('li');
  line.append(...parts);
  return line;
}

/** Returns a name or a date in a direction of its own, on one line if it fits. */
function isolated(text) {
  const part = document.createElement('bdi');
  part.className = 'whole';
  part.textContent = text;
  return part;
}

// A narrow header has no room for an address: the menu shows it.
const narrow = matchMedia('(max-width: 30rem)');
let isSignedIn = false;
narrow.addEventListener('change', () => fitLogin(isSignedIn));

function fitLogin(signedIn) {
  isSignedIn = signedIn;
  find('.masthead latchkey-login')?.toggleAttribute('compact', signedIn && narrow.matches);
}

// ── The drop ───────────────────────────────────────────────────────────────────────────────────

if (find('#drop') !== null) {
  onTime((drop) => {
    const now = serviceNow();
    const { name, countdown, text } = describe(drop, now);
    for (const [part, value] of Object.entries({ name, countdown, text })) {
      const element = find(`#drop-${part}`);
      if (element.textContent !== value) element.textContent = value;
    }
  });
}

function describe(drop, now) {
  if (!drop)
    return {
      name: 'Nothing on the roster',
      countdown: '…',
      text: 'The next drop is announced at the table first.',
    };
  const { name, startsAt, endsAt, available } = drop;
  const left =
    available === null ? 'There is enough for everybody on the list.' : `${available} slots are left.`;
  if (endsAt !== null && endsAt <= now)
    return {
      name,
      countdown: 'Sold and gone',
      text: 'This drop is over. The next one is announced at the table first.',
    };
  if (available === 0)
    return { name, countdown: 'Every slot is taken', text: 'Members hear of the next drop at the table.' };
  if (startsAt <= now) return { name, countdown: 'It has started', text: left };
  return { name, countdown: timeLeft(startsAt - now), text: `Until it starts. ${left}` };
}
