import type { ComponentChildren } from 'preact';

/** In the colour of the text, hidden from screen readers. `pointsForward`: mirrored on right-to-left pages. */
function icon(shapes: ComponentChildren, pointsForward = false) {
  return () => (
    <svg
      class={pointsForward ? 'icon forward' : 'icon'}
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      {shapes}
    </svg>
  );
}

/** Logo of the service. */
export const KeyIcon = icon(
  <>
    <circle cx="8" cy="16" r="4.5" />
    <path d="m11.2 12.8 8.3-8.3M15.5 8.5l3 3" />
  </>,
);

/** Success or a granted permission. */
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);

/** Private data or a secure payment. */
export const LockIcon = icon(
  <>
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </>,
);

/** Error or warning. */
export const AlertIcon = icon(
  <path d="M12 8.5v4.5M12 16.5v.01M10.3 4.2 2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z" />,
);

export const MailIcon = icon(
  <>
    <rect x="3" y="5" width="18" height="14" rx="2.5" />
    <path d="m3.5 7.5 8.5 6 8.5-6" />
  </>,
);

export const ChatIcon = icon(
  <path d="M20 11.5a7.5 7.5 0 0 1-10.8 6.7L4 20l1.8-5.2A7.5 7.5 0 1 1 20 11.5Z" />,
);

export const BookIcon = icon(
  <path d="M12 6.5C10 5 7 4.5 4 4.5v13c3 0 6 .5 8 2 2-1.5 5-2 8-2v-13c-3 0-6 .5-8 2ZM12 6.5v13" />,
);

export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20a7.5 7.5 0 0 1 15 0" />
  </>,
);

export const TicketIcon = icon(<path d="M4 7h16v3.2a2 2 0 0 0 0 3.6V17H4v-3.2a2 2 0 0 0 0-3.6V7ZM14 7v10" />);

export const BoxIcon = icon(<path d="m12 3 8 4.5v9L12 21l-8-4.5v-9L12 3ZM4 7.5l8 4.5 8-4.5M12 12v9" />);

/** Link to another site. */
export const ArrowIcon = icon(<path d="M7 17 17 7M9 7h8v8" />, true);

export const CopyIcon = icon(
  <>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
    <path d="M15.5 8.5V6.5a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />
  </>,
);

export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />);

/** Page that doesn't exist. */
export const CompassIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m15.2 8.8-1.9 4.5-4.5 1.9 1.9-4.5 4.5-1.9Z" />
  </>,
);
