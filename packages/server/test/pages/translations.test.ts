import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { networkFailureOf } from '@latchkey/contract/constants';
import { beforeAll, describe, expect, it } from 'vitest';
import { composeAccountDeleted } from '../../src/features/account-deletion/account-deleted-mail.js';
import { composeReceipt, composeRefunded } from '../../src/features/checkout/payment-mails.js';
import { dropResource } from '../../src/features/drops/drop.resource.js';
import {
  composeEmailChange,
  emailChangeCodeMail,
} from '../../src/features/email-change/email-change-mail.js';
import type { Resource } from '../../src/features/fields/define-resource.js';
import type { MailComposer } from '../../src/features/mail/mail-worker.js';
import { formFieldsOf } from '../../src/features/operator/record-form.js';
import { capitalized, fieldLabel } from '../../src/features/operator/record-form.pages.js';
import { RECORD_KINDS, type RecordKind, recordKind } from '../../src/features/operator/record-kinds.js';
import { KIND_OF_FIELD } from '../../src/features/operator/records.js';
import { CREATABLE, pluralOf, valueLabel } from '../../src/features/operator/records.pages.js';
import { planResource } from '../../src/features/plans/plan.resource.js';
import { productResource } from '../../src/features/products/product.resource.js';
import { type AskingApp, signInMail } from '../../src/features/sign-in/sign-in-mail.js';
import { composeTwoStepMail } from '../../src/features/two-step/two-step-mail.js';
import { SCRIPT_TEXTS } from '../../src/features/widget/widget.routes.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { camelNameOf } from '../../src/platform/database/rows.js';
import { addMessages, LANGUAGES, type Messages, speak, t } from '../../src/platform/language/language.js';
import type { MailMessage } from '../../src/platform/mail/mailer.js';
import { PLAIN_SITE } from '../../src/web/kit/frame/send-page.js';
import { parsed, sourcesIn, translatedTexts, untranslatedTexts } from './message-keys.js';
import { parsePage, textOf } from './page-document.js';
import { AFTERNOON, everyPageWith } from './page-fixtures.js';

const SOURCES = sourcesIn(join(import.meta.dirname, '../../src'));
const PROVIDERS = sourcesIn(join(import.meta.dirname, '../../../stripe/src'));

/** Returns the texts of a kind of records that the operator area shows: its names, its fields, and what changes and ends it. */
function recordTexts(kind: RecordKind): string[] {
  const { one, create, change, end } = recordKind(kind);
  const { summary } = CREATABLE[kind] === undefined ? {} : create;
  const { summary: changes } = change?.secretFields === undefined ? (change ?? {}) : {};
  const hints = formFields(kind).flatMap(({ type, hint }) => (/^(list|choices)$/.test(type) ? [] : [hint]));
  const texts = [capitalized(one), pluralOf(kind), summary, changes, end?.button, end?.summary, ...hints];
  return [...texts.filter((text) => text !== undefined), ...labelsOf(kind)];
}

/** Returns the fields of the forms that the area has for a kind. */
function formFields(kind: RecordKind) {
  const { change } = recordKind(kind);
  const hidden = change?.secretFields ?? [];
  const isIn = (form: string | undefined) =>
    CREATABLE[kind] !== undefined || (change !== undefined && form !== 'create');
  return formFieldsOf(kind).filter(({ name, in: form }) => isIn(form) && !hidden.includes(name));
}

/** Fields of a record that its table does not have. */
const MORE_FIELDS: Partial<Record<RecordKind, readonly string[]>> = {
  users: ['mayProvision'],
  communities: ['messengerBot'],
  memberships: ['state'],
  drops: ['state'],
};

/** Returns the labels of a kind's fields, in a record and in its forms. */
function labelsOf(kind: RecordKind): string[] {
  const names = [...recordKind(kind).columns.map(camelNameOf), ...(MORE_FIELDS[kind] ?? [])];
  const ofButtons = names.filter((name) => /(?:^i|I)d$/.test(name) && !(name in KIND_OF_FIELD));
  return [
    ...names.map((name) => valueLabel(kind, name)),
    ...ofButtons.map((name) => fieldLabel(kind, name)),
    ...formFields(kind).map(({ label }) => label),
  ];
}

const STATES = ['Upcoming', 'Active', 'Expired', 'Running', 'Ended', 'Cancelled'];
const RECORD_TEXTS = [...RECORD_KINDS.flatMap(recordTexts), ...STATES];
const KEYS = [...new Set([...[...SOURCES, ...PROVIDERS].flatMap(translatedTexts), ...RECORD_TEXTS])].sort();

/** Folders and files whose texts are translated. */
const TRANSLATED = new RegExp(
  [
    String.raw`^features/(account|account-deletion|api-keys|clients|developer|email-change|oauth|operator|sessions|sign-in|two-step|user-export|webhooks)/.*\.(pages|routes)\.`,
    String.raw`^features/(brand|communities|community-closing|drops|memberships|plans|products|seller)/.*\.(pages|resource|routes)\.`,
    String.raw`^features/(checkout/.*|invitations/invitations|users/profile)\.pages\.`,
    String.raw`^features/(clients/client-snippet|storefront/|widget/|invitations/opt-out|sign-in/sign-in-choices|mail/mail-frame|.*-mail\.ts)`,
    '^web/kit/(areas/(account-area|area-routes|continue-path|developer-area|seller-|user-session)|frame/(area|message)-page|parts/brand-fields)',
  ].join('|'),
);

/** Pages of the fixtures in each language. The others are in English only. */
const TRANSLATED_PAGES = [
  ...['signIn', 'signInAccounts', 'signInCode', 'secondStep', 'secondStepRecovery', 'consent'],
  ...['signedOut', 'message', 'widgetCallback'],
  ...['checkoutCard', 'checkoutCrypto', 'checkoutPaid', 'product', 'community'],
  ...['account', 'accountProfile', 'accountPayments', 'accountSessions', 'accountDeleted', 'undoEmailChange'],
  ...['changeEmail', 'changeEmailAfterSignIn', 'confirmEmail', 'exportData', 'exportDataAfterSignIn'],
  ...['deleteAccount', 'deleteAccountAfterSignIn', 'deleteAccountLater'],
  ...[
    'sellerHome',
    'newCommunity',
    'sellerCommunity',
    'closeCommunity',
    'sellerBrand',
    'sellerRoles',
    'newRole',
  ],
  ...[
    'sellerSales',
    'sellerPayment',
    'sellerPlans',
    'newPlan',
    'sellerPlan',
    'sellerDrops',
    'newDrop',
    'sellerDrop',
  ],
  ...['newMember', 'newProduct', 'sellerProduct', 'productBuyers', 'productSales'],
  ...['twoStep', 'twoStepSetup', 'recoveryCodes', 'turnOffTwoStep', 'newRecoveryCodes'],
  ...['developerHome', 'developerApiKeys', 'developerNewApiKey'],
  ...['developerClients', 'developerClient', 'developerNewClient', 'developerClientForm', 'clientSecret'],
  ...[
    'developerWebhooks',
    'developerWebhook',
    'developerNewWebhook',
    'developerWebhookForm',
    'webhookSecret',
  ],
  ...['developerDelivery'],
  ...['operatorHome', 'operatorSignIn', 'operatorAudit', 'operatorDrops', 'operatorOperators'],
  ...['operatorClient', 'operatorUser', 'operatorChange', 'operatorAppoint', 'operatorEnd'],
];

function messagesOf(language: string): Messages {
  const path = join(import.meta.dirname, `../../assets/messages/${language}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Messages;
}

/** Values that stand for the number which chooses the plural form. */
const NUMBERS = ['{count}', '{days}'];

const placeholdersIn = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const formsOf = (translation: Messages[string]) =>
  typeof translation === 'string' ? [translation] : Object.values(translation);

describe.each(Object.keys(LANGUAGES).filter((language) => language !== 'en'))(
  'the messages in %s',
  (language) => {
    const messages = messagesOf(language);

    it('are exactly the texts of the code', () => {
      expect(Object.keys(messages).sort()).toEqual(KEYS);
    });

    it('have the values of the English text, and no empty text', () => {
      for (const [key, translation] of Object.entries(messages)) {
        for (const form of formsOf(translation)) {
          expect(form.trim(), key).not.toBe('');
          // A form for one or two says the number in words.
          const isPlural = typeof translation !== 'string';
          const valuesOf = (text: string) =>
            placeholdersIn(text).filter((name) => !isPlural || !NUMBERS.includes(name));
          expect(valuesOf(form), key).toEqual(valuesOf(key));
        }
      }
    });

    it('tell the fields of a record apart', () => {
      for (const kind of RECORD_KINDS) {
        const labels = [...new Set(labelsOf(kind))];
        expect(new Set(labels.map((label) => messages[label])).size, `${kind}: ${labels}`).toBe(
          labels.length,
        );
      }
    });

    it('have every plural form of the language', () => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      for (const [key, translation] of Object.entries(messages)) {
        if (typeof translation !== 'string')
          expect(Object.keys(translation).sort(), key).toEqual([...pluralCategories].sort());
        // Japanese has one form, so its text can be a string.
        else if (pluralCategories.length > 1)
          expect(
            NUMBERS.filter((number) => key.includes(number)),
            key,
          ).toEqual([]);
      }
    });
  },
);

describe('English', () => {
  it('has a file for plural forms only', () => {
    for (const [key, translation] of Object.entries(messagesOf('en'))) {
      expect(KEYS).toContain(key);
      expect(Object.keys(translation).sort(), key).toEqual(['one', 'other']);
    }
  });
});

describe('the code of translated pages and mails', () => {
  const files = SOURCES.filter(({ path }) => TRANSLATED.test(path));

  it('has no text outside of `t` and `phrase`', () => {
    const found = files.flatMap((file) => untranslatedTexts(file).map((text) => `${file.path}: ${text}`));
    const untold = found.filter((text) => !EXCEPTIONS.includes(text));
    expect(untold.filter((text) => !OPERATOR_WORDS.has(text.replace(/^.*[.]resource[.]ts: /, '')))).toEqual(
      [],
    );
  });

  it('is searched for texts between tags, in attributes and in properties', () => {
    const code = `<p title={isOpen ? 'Open' : t('Shut')} hint={\`At \${time}\`}>Words {a ? 'More words' : ''}</p>`;
    expect(untranslatedTexts(parsed('page.tsx', code))).toEqual(['More words', 'Open', 'At ', 'Words']);
    expect(translatedTexts(parsed('page.tsx', `t(isOne ? 'One' : "Two", { a: phrase('Three') })`))).toEqual([
      ...['One', 'Two', 'Three'],
    ]);
  });
});

describe('the reasons why a webhook fails', () => {
  it.each([
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ...[
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'EPROTO',
      'HPE_INVALID_CONSTANT',
    ],
    ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ECONNRESET'],
  ])('have a translation of %s', (code) => {
    const { sentence } = networkFailureOf(Object.assign(new Error(), { code }));
    expect(KEYS).toContain(sentence.replace(code, '{value}'));
  });
});

describe('the script of the callback page', () => {
  it('has its texts from the service', () => {
    const path = join(import.meta.dirname, '../../../widget/src/callback/hand-over.ts');
    const inScript = untranslatedTexts(parsed(path, readFileSync(path, 'utf8')));
    expect([...new Set(inScript)].filter((text) => !SCRIPT_TEXTS.includes(text))).toEqual([]);
    expect(SCRIPT_TEXTS.filter((text) => !readFileSync(path, 'utf8').includes(text))).toEqual([]);
  });
});

/** Texts that stay English: for developers, or the same for every visitor. */
const EXCEPTIONS = [
  'web/kit/frame/message-page.tsx: Wrong address',
  'features/developer/developer.routes.tsx: OpenAPI 3.1',
  'features/memberships/membership.resource.ts: A membership is for a community or for a product. Enter communityId or productId, not both.',
];

const PAGE_RESOURCES: Partial<Record<RecordKind, Pick<Resource, 'fields'>>> = {
  plans: planResource,
  products: productResource,
  drops: dropResource,
};

/** Words that resources state for the operator area and for programs. The area translates those that it shows, {@link RECORD_TEXTS}. */
const OPERATOR_WORDS = new Set(
  RECORD_KINDS.flatMap((kind) => {
    const { fields, end } = recordKind(kind);
    const onPages = PAGE_RESOURCES[kind]?.fields.map(({ name }) => name) ?? [];
    const others = fields.filter(({ name }) => !onPages.includes(name));
    return [end?.button, ...others.flatMap(({ label, about }) => [label.replace(' (UTC)', ''), about])];
  }),
);

/** A language that only this test speaks: accents and brackets show what went through `t`. */
const PSEUDO = 'en-XA';

function pseudo(text: string): string {
  const accents: Record<string, string> = {
    a: 'á',
    e: 'é',
    i: 'í',
    o: 'ó',
    u: 'ú',
    A: 'Á',
    E: 'É',
    I: 'Í',
    O: 'Ó',
  };
  const longer = text.replace(/\{\w+\}|[aeiouAEIO]/g, (found) => accents[found] ?? found);
  return `⟦${longer} ~~~⟧`;
}

beforeAll(() => addMessages(PSEUDO, Object.fromEntries(KEYS.map((key) => [key, pseudo(key)]))));

/** Returns the words that did not go through `t`. Values break a text into several nodes, so brackets can open in one and close in another. */
function untranslatedWords(shown: string): string[] {
  const outer = shown.replace(/⟦[^⟦⟧]*⟧/g, '');
  return outer === shown ? (shown.match(/\p{L}+/gu) ?? []) : untranslatedWords(outer);
}

const PLACE = { at: AFTERNOON, browser: '1 on 2', network: '192.0.2.0' };
const PRICE = { amountMinor: 900, currency: 'EUR' };
const PAID = { ...PRICE, item: '0815', seller: '12', communityId: '1', paymentId: '2', paidAt: AFTERNOON };
const SERVICE = { baseUrl: 'http://127.0.0.1', brand: { name: '4711', logoUrl: null, accent: null } };

type ShownMail = Pick<MailMessage, 'subject' | 'text' | 'html' | 'senderName'>;

/** Mails of each kind that need no database, and of each text that only some have. Values are digits. */
const MAILS: Readonly<Record<string, () => ShownMail | Promise<ShownMail | undefined>>> = {
  'sign-in to the service': () => signInCode(undefined),
  'sign-in to a verified app': () => signInCode({ name: '0815', isVerified: true }),
  'sign-in to an app that is not verified': () => signInCode({ name: '0815', isVerified: false }),
  'sign-in to an app that must not be named': () => signInCode({ name: 'a.example', isVerified: false }),
  'code for a new address': () => emailChangeCodeMail({ to: '', code: '660107', now: AFTERNOON }, SERVICE),
  'address that was changed back': composed(composeEmailChange, { change: null, ...PLACE }),
  'account that its user deleted': composed(composeAccountDeleted, { who: 'user', ...PLACE }),
  'account that the operator deleted': composed(composeAccountDeleted, { who: 'operator', ...PLACE }),
  receipt: composed(composeReceipt, {
    ...PAID,
    validUntil: AFTERNOON,
    nextPayment: { at: AFTERNOON, ...PRICE },
  }),
  'receipt of a product': composed(composeReceipt, {
    ...{ ...PAID, item: '111111', seller: null, communityId: null, validUntil: null, nextPayment: null },
  }),
  refund: composed(composeRefunded, { ...PAID, refundedMinor: 900, endsAccess: true }),
  'refund that leaves the access': composed(composeRefunded, {
    ...PAID,
    refundedMinor: 900,
    endsAccess: false,
  }),
  'refund of a part': composed(composeRefunded, { ...PAID, refundedMinor: 1, endsAccess: false }),
  ...Object.fromEntries(
    ['on', 'off', 'off-by-operator', 'recovery-code-used', 'new-recovery-codes', 'wrong-codes'].map(
      (change) => [
        `two-step sign-in: ${change}`,
        composed(composeTwoStepMail, { change, codesLeft: 1, ...PLACE }),
      ],
    ),
  ),
};

/** Writes a queued mail. */
function composed(compose: MailComposer, facts: object) {
  const db = undefined as unknown as Database;
  const mail = { to: '', subjectId: '12', facts: JSON.stringify(facts) };
  return () => compose(mail, { db, service: SERVICE, now: AFTERNOON });
}

function signInCode(app: Pick<AskingApp, 'name' | 'isVerified'> | undefined) {
  const asking = app && { ...app, logoUrl: null, accent: null, receiver: 'http://127.0.0.1:1' };
  const link = { browserLink: 'http://127.0.0.1', reference: '12', code: '660107' };
  return signInMail({ ...link, to: '', app: asking, now: AFTERNOON }, SERVICE);
}

describe('the mails in a pseudo-language', () => {
  it.each(Object.keys(MAILS))('%s has only translated texts', async (name) => {
    const mail = await speak(PSEUDO, () => MAILS[name]?.());
    const { subject = '', text = '', html = '', senderName = '' } = mail ?? {};
    const $ = parsePage(html);
    expect($('html').attr()).toEqual({ lang: PSEUDO, dir: 'ltr' });
    const shown = [subject, textOf($, 'title'), textOf($, '.mail-preview'), senderName, text].join('\n');
    expect(untranslatedWords(shown.replace(/\S+ \S+ 2026(, [\d:]+ UTC)?|http:\S+/g, ''))).toEqual([]);
  });
});

describe('the pages in a pseudo-language', () => {
  it.each(TRANSLATED_PAGES)('%s has only translated texts', (name) => {
    const html = speak(PSEUDO, () => everyPageWith('4711')[name]?.(PLAIN_SITE)) ?? '';
    const $ = parsePage(html);
    expect($('html').attr('lang')).toBe(PSEUDO);
    // The parser takes `noscript` as text, because browsers with scripts do.
    $('script, noscript, time, bdi, [translate=no], .figures, .picture').remove();
    // Names and codes of currencies and time zones are from the platform.
    $('[name=currency], .money-currency, .date-zone').remove();
    const texts = $('*')
      .contents()
      .toArray()
      .filter(({ type }) => type === 'text')
      .map((node) => $(node).text());
    const attributes = $('[title], [placeholder], [aria-label], [alt]')
      .toArray()
      .flatMap((element) =>
        ['title', 'placeholder', 'aria-label', 'alt'].map((key) => $(element).attr(key) ?? ''),
      );
    const shown = [...texts, ...attributes].join('\n');
    expect(untranslatedWords(shown.replace(' · Latchkey', ''))).toEqual([]);
  });
});

describe('a page', () => {
  it.each([
    ['de', undefined, 'Bei Ember anmelden', 'E-Mail-Adresse'],
    ['ja', undefined, 'Ember にログイン', 'メールアドレス'],
    ['ar', 'rtl', 'تسجيل الدخول إلى Ember', 'عنوان البريد الإلكتروني'],
  ])('in %s says so, with its direction', (language, dir, title, label) => {
    const $ = parsePage(speak(language, () => everyPageWith('Ember').signIn?.(PLAIN_SITE)) ?? '');
    expect($('html').attr()).toEqual({ lang: language, ...(dir && { dir }) });
    expect(textOf($, 'h1')).toBe(title);
    expect(textOf($, 'label[for=email]')).toBe(label);
  });
});

describe('a text', () => {
  it('has the plural form of its language, with figures that every language reads', () => {
    const left = (language: string, count: number) =>
      speak(language, () => t('{count} tries left.', { count }));
    expect([1, 2].map((count) => left('en', count))).toEqual(['One try left.', '2 tries left.']);
    expect([1, 2].map((count) => left('de', count))).toEqual(['Noch ein Versuch.', 'Noch 2 Versuche.']);
    expect([1, 2, 3, 11].map((count) => left('ar', count))).toEqual([
      ...['بقيت محاولة واحدة.', 'بقيت محاولتان.', 'بقيت 3 محاولات.', 'بقيت 11 محاولة.'],
    ]);
    expect(left('ja', 3)).toBe('あと 3 回試せます。');
  });
});
