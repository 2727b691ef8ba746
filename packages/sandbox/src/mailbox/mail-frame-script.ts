import { type Asset, assetOf } from '@latchkey/server/ui';

/*
 * Makes the frame of a mail as high as the mail. The mail itself runs no script, and this script reads nothing but its
 * height. Without the script, the frame has a fixed height that one can change.
 */
const SOURCE = `'use strict';
const frame = document.querySelector('.mail-frame');
function fit() {
  const mail = frame.contentDocument;
  if (mail === null || mail.URL === 'about:blank' || mail.readyState !== 'complete') return;
  const top = scrollY;
  // The height of a document is at least that of its frame.
  frame.style.blockSize = '0';
  frame.style.blockSize = mail.documentElement.scrollHeight + frame.offsetHeight - frame.clientHeight + 'px';
  scrollTo(0, top);
}
if (frame !== null) {
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
  fit();
}
`;

/** Script for a page with the HTML of an email. */
export const MAIL_FRAME_SCRIPT: Asset = assetOf('mail-frame.js', 'text/javascript; charset=utf-8', SOURCE);
