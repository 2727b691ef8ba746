import type { Messages } from './en.js';
import { registerMessages } from './registry.js';

/** Arabic, read from right to left. Importing this file registers it. */
export const ar: Messages = {
  locale: 'ar',

  signIn: 'تسجيل الدخول',
  signOut: 'تسجيل الخروج',
  cancel: 'إلغاء',
  tryAgain: 'حاول مرة أخرى',
  signInAgain: 'سجّل الدخول مرة أخرى',
  dismiss: 'إغلاق',
  showWindow: 'إظهار النافذة',

  opening: 'جارٍ فتح نافذة تسجيل الدخول…',
  waiting: 'تابع في نافذة تسجيل الدخول.',
  exchanging: 'جارٍ إتمام تسجيل الدخول…',
  expired: 'انتهت جلستك. سجّل الدخول مرة أخرى للمتابعة.',

  signedIn: 'لقد سجّلت الدخول',
  signedInAs: (name) => `سجّلت الدخول باسم ${name}`,
  account: 'حسابك',
  noMemberships: 'لا توجد عضوية نشطة',
  until: (date) => `حتى ${date}`,
  unlimited: 'بلا تاريخ انتهاء',
  kinds: {
    community: 'عضوية المجتمع',
    digital_product: 'منتج رقمي',
    clipping_campaign: 'حملة مقاطع',
    agency: 'وكالة',
  },
  otherKind: 'عضوية',

  failures: {
    popup_blocked: 'حظر متصفحك نافذة تسجيل الدخول. اسمح بالنوافذ المنبثقة لهذا الموقع ثم حاول مرة أخرى.',
    popup_closed: 'أُغلقت نافذة تسجيل الدخول قبل أن تنتهي.',
    opener_severed: 'لا تستطيع نافذة تسجيل الدخول الرد على هذه الصفحة. يُرجى إبلاغ مالك الموقع.',
    origin_refused: 'لا يُسمح لهذا الموقع بتلقي تسجيل دخولك. يُرجى إبلاغ مالكه.',
    state_mismatch: 'هذا الرد يخص تسجيل دخول آخر. حاول مرة أخرى.',
    access_denied: 'لقد رفضت، لذلك لم تتم مشاركة أي شيء مع هذا الموقع.',
    code_expired: 'استغرق ذلك وقتًا طويلًا وانتهت صلاحية تسجيل الدخول. حاول مرة أخرى.',
    network: 'لا يوجد اتصال. تأكد من اتصالك بالإنترنت ثم حاول مرة أخرى.',
    service_error: 'هناك مشكلة في خدمة تسجيل الدخول. حاول مرة أخرى بعد قليل.',
    insecure_context: 'يعمل تسجيل الدخول في الصفحات الآمنة (https) فقط. يُرجى إبلاغ مالك الموقع.',
    misconfigured: 'لم يُضبط تسجيل الدخول هنا بشكل صحيح. يُرجى إبلاغ مالك الموقع.',
  },

  gate: {
    loading: 'جارٍ البحث عن عضويتك…',
    'signed-out': 'هذا الجزء للأعضاء. سجّل الدخول لرؤيته.',
    locked: 'هذا الجزء للأعضاء، ولا تفتحه أي عضوية لديك.',
    error: 'تعذّر البحث عن عضويتك، لذلك يبقى هذا الجزء مغلقًا حاليًا.',
  },
};

registerMessages(ar);
