import '/assets/evaluate.js';

const greeting = document.querySelector('#greeting');
const unknownVisitor = greeting.textContent;

// The widget's events bubble to the document. This page uses them to greet the visitor.
document.addEventListener('latchkey-change', ({ detail }) => {
  const text = detail.signedIn ? `Welcome back, ${detail.user.email ?? 'friend'}` : unknownVisitor;
  if (greeting.textContent !== text) greeting.textContent = text;
});

// A link to an element that isn't focusable scrolls the page but doesn't move the focus. This moves both.
document.querySelector('[data-focus-sign-in]')?.addEventListener('click', () => {
  document.querySelector('latchkey-login').focus();
});
