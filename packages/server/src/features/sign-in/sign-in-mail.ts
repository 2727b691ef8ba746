import { formatTime, t } from '../../platform/language/language.js';
import type { MailMessage } from '../../platform/mail/mailer.js';
import type { MailBrand, MailFacts } from '../../platform/mail/render-mail.js';
import {
  type MailService,
  plainName,
  plainServiceName,
  quotableName,
  senderName,
  serviceMail,
} from '../mail/mail-frame.js';
import { SIGN_IN_CODE_LIFETIME_SECONDS } from './sign-in-codes.js';

/** The app that led to the sign-in with an authorization request. */
export interface AskingApp extends MailBrand {
  /** True if the operator has verified the app's owner, name and logo. */
  readonly isVerified: boolean;
  /** Origin that receives the authorization code; `undefined` if it is unknown. */
  readonly receiver: string | undefined;
}

/** It carries the app's name as its own only if the operator has verified the app: anyone can register any name. */
export function signInMail(
  mail: {
    to: string;
    code: string;
    reference: string;
    /** Link that lets one browser request codes after many requests by others. */
    browserLink: string | undefined;
    /** `undefined` for a sign-in to the service itself. */
    app: AskingApp | undefined;
    now: number;
  },
  service: MailService,
): MailMessage {
  const { to, code, reference, browserLink, app, now } = mail;
  const serviceName = plainServiceName(service);
  const verified = app?.isVerified === true ? app : undefined;
  const time = t('{count} minutes', { count: SIGN_IN_CODE_LIFETIME_SECONDS / 60 });
  const name = verified === undefined ? serviceName : plainName(verified.name);
  return {
    to,
    ...serviceMail(service, {
      ...(verified && { brand: { ...verified, name } }),
      subject: t('{code} is your {name} code', { code, name }),
      preview: t('It is valid for {time}. We’ll never ask you for this code.', { time }),
      title: t('Your {name} code', { name: { name } }),
      blocks: [
        { code },
        t('Enter it in the browser window that shows the same reference. It is valid for {time}.', { time }),
        {
          facts: {
            ...askingRows(app, service),
            [t('Requested')]: formatTime(now),
            [t('Reference')]: reference,
          },
        },
        t('We’ll never ask you for this code.'),
        { note: t('If you did not request it, ignore this e-mail. Nobody can sign in without the code.') },
        browserLink !== undefined && {
          note: t(
            'Many codes were requested for this address. If the sign-in page rejects your request, open this link in the same browser. You can then request a code there, whatever others do. The link itself does not sign you in.',
          ),
          link: { label: t('Allow this browser to request codes'), href: browserLink },
        },
      ],
      reason: t('Someone entered your address to sign in.'),
    }),
    ...(verified && { senderName: senderName(service, name) }),
    code,
  };
}
function askingRows(app: AskingApp | undefined, service: MailService): MailFacts {
  const origin = app === undefined ? service.baseUrl : app.receiver;
  const site = { [t('Site')]: origin !== undefined && new URL(origin).host };
  if (app === undefined || app.isVerified) return site;
  const name = quotableName(app.name, service.brand.name);
  const by = { service: plainServiceName(service) };
  const value =
    name === undefined
      ? t('An app not verified by {service}', by)
      : t('“{name}”, not verified by {service}', { ...by, name: { name } });
  return { [t('App')]: value, ...site };
}
