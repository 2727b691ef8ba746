import '/assets/how.js';
import { onTime, serviceNow, timeLeft } from '/assets/countdown.js';

const find = (selector) => document.querySelector(selector);

// ── The visitor ────────────────────────────────────────────────────────────────────────────────

const greeting = find('#greeting');
const unknownVisitor = greeting?.textContent;

// The widget's events bubble to the document. This page uses them to greet the visitor.
document.addEventListener('latchkey-change', ({ detail }) => {
  const text = detail.signedIn ? `Welcome back, ${detail.user.email ?? 'friend'}` : unknownVisitor;
  if (greeting && greeting.textContent !== text) greeting.textContent = text;
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
    find('#account-email').textContent = `Signed in as ${user.email ?? 'a friend'}`;
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

function membershipItem({ productType, validUntil }) {
  const name = productType === 'community' ? 'Membership of a community' : 'Something bought';
  return item(`${name}, ${validUntil ? `until ${day.format(new Date(validUntil))}` : 'for life'}`);
}

function item(text) {
  const line = document.createElement('li');
  line.textContent = text;
  return line;
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
