import { Router } from 'express';
import type { Needs } from '../../app/services.js';
import { methodNotAllowed } from '../../platform/http/http-failure.js';
import { formOf, readForm, requestQuery } from '../../platform/http/request-input.js';
import { phrase, t } from '../../platform/language/language.js';
import { renderDocument } from '../../web/kit/frame/document.js';
import { messagePage } from '../../web/kit/frame/message-page.js';
import { type Page, sendPage } from '../../web/kit/frame/send-page.js';
import { OPT_OUT_PATH } from './invitation-mail.js';
import { findOptOutLink, setOptOut } from './invitation-opt-out.js';

/** Doesn't show the address, since mails get forwarded. Programs that open every link in a mail change nothing. */
function optOutPage(key: string, isOptedOut: boolean): Page {
  const action = `${OPT_OUT_PATH}?${new URLSearchParams({ key })}`;
  const wording = isOptedOut ? OPTED_OUT : OPTED_IN;
  return renderDocument({
    title: t(wording.title),
    layout: 'card',
    loadsPageScript: true,
    children: (
      <main class="card">
        <div class="heading">
          <h1>{t(wording.title)}</h1>
          <p class="lead">{t(wording.text)}</p>
        </div>
        <form class="stack" method="post" action={action}>
          <input type="hidden" name="choice" value={wording.choice} />
          <button class={`button ${isOptedOut ? 'secondary' : 'primary'}`} type="submit">
            {t(wording.button)}
          </button>
        </form>
      </main>
    ),
  });
}

const OPTED_IN = {
  title: phrase('Stop invitations by e-mail?'),
  text: phrase(
    'No community can invite you by e-mail at this address any more. Sign-in codes and receipts still arrive.',
  ),
  choice: 'stop',
  button: phrase('Stop invitations'),
};

const OPTED_OUT = {
  title: phrase('You receive no more invitations'),
  text: phrase(
    'No community can invite you by e-mail at this address. Sign-in codes and receipts still arrive.',
  ),
  choice: 'allow',
  button: phrase('Allow invitations again'),
};

/**
 * Routes of the link that stops invitation mails. The key in the link is the permission; there is no session, since
 * mail programs send the POST themselves (RFC 8058), without cookies and from any origin.
 */
export function optOutRoutes({ db, clock }: Needs<'clock' | 'db'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(OPT_OUT_PATH)
    .get(async (request, response) => {
      const key = requestQuery(request).get('key') ?? '';
      const link = await findOptOutLink(db, key, clock.now());
      if (link === undefined) return sendPage(response, expiredPage(), { status: 404 });
      sendPage(response, optOutPage(key, link.isOptedOut));
    })
    .post(readForm, async (request, response) => {
      const key = requestQuery(request).get('key') ?? '';
      // A mail program's request has no field `choice`.
      const isOptedOut = formOf(request).get('choice') !== 'allow';
      const isStored = await setOptOut(db, { secret: key, isOptedOut }, clock.now());
      if (!isStored) return sendPage(response, expiredPage(), { status: 404 });
      sendPage(response, optOutPage(key, isOptedOut));
    })
    .all(methodNotAllowed('GET, POST'));
  return router;
}

function expiredPage(): Page {
  return messagePage({
    title: t('This link has expired'),
    text: t('Open the link in a newer invitation. You can also decline invitations on your account page.'),
    action: { href: '/account', label: t('Go to your account') },
  });
}
