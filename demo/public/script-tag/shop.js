import '/assets/evaluate.js';

const greeting = document.querySelector('#greeting');
const unknownVisitor = greeting.textContent;

// The widget tells the whole page about every change; this page uses it to greet.
document.addEventListener('latchkey-change', ({ detail }) => {
  const text = detail.signedIn ? `Welcome back, ${detail.user.email ?? 'friend'}` : unknownVisitor;
  if (greeting.textContent !== text) greeting.textContent = text;
});

// A link to an element that is no control moves the page but not the keyboard's place; this one moves both.
document.querySelector('[data-focus-sign-in]')?.addEventListener('click', () => {
  document.querySelector('latchkey-login').focus();
});
