import type { Messages } from './en.js';
import { registerMessages } from './registry.js';

/** Japanese. Importing this file registers it. */
export const ja: Messages = {
  locale: 'ja',

  signIn: 'ログイン',
  signOut: 'ログアウト',
  cancel: 'キャンセル',
  tryAgain: 'もう一度試す',
  signInAgain: 'もう一度ログイン',
  dismiss: '閉じる',
  showWindow: 'ウィンドウを表示',

  opening: 'ログイン画面を開いています…',
  waiting: 'ログイン画面で続けてください。',
  exchanging: 'ログインを完了しています…',
  expired: 'セッションが終了しました。続けるにはもう一度ログインしてください。',

  signedIn: 'ログインしています',
  signedInAs: (name) => `${name} としてログインしています`,
  account: 'アカウント',
  noMemberships: '有効なメンバーシップはありません',
  manageAccount: 'アカウントを管理',
  switchAccount: 'アカウントを切り替える',
  until: (date) => `${date} まで`,
  unlimited: '無期限',
  kinds: {
    community: 'コミュニティのメンバーシップ',
    digital_product: 'デジタル商品',
    clipping_campaign: 'クリップキャンペーン',
    agency: 'エージェンシー',
  },
  otherKind: 'メンバーシップ',

  stillSignedIn: 'まだログインしています。',
  errorCode: (code) => `エラーコード: ${code}`,
  failures: {
    popup_blocked:
      'ブラウザがログイン画面をブロックしました。このサイトのポップアップを許可して、もう一度お試しください。',
    popup_closed: '完了する前にログイン画面が閉じられました。',
    opener_severed: 'ログイン画面からこのページに応答できません。サイトの運営者にお知らせください。',
    origin_refused: 'このサイトはログイン情報を受け取ることを許可されていません。運営者にお知らせください。',
    state_mismatch: 'このログインの有効期限が切れました。もう一度お試しください。',
    access_denied: '許可されなかったため、このサイトには何も共有されていません。',
    code_expired: 'ログインに時間がかかりすぎたため、有効期限が切れました。もう一度お試しください。',
    network: '接続できません。オンラインであることを確認して、もう一度お試しください。',
    script_missing:
      'このページの一部を読み込めませんでした。ページを再読み込みするか、ブラウザを更新してください。',
    service_error: 'ログインサービスに問題が発生しています。しばらくしてからもう一度お試しください。',
    cookies_blocked:
      'ブラウザがこのサイトの Cookie をブロックしています。このサイトの Cookie を許可して、もう一度お試しください。',
    insecure_context: 'ログインは安全なページ (https) でのみ利用できます。サイトの運営者にお知らせください。',
    misconfigured: 'このサイトのログインが正しく設定されていません。運営者にお知らせください。',
  },

  gate: {
    loading: 'メンバーシップを確認しています…',
    'signed-out': 'ここはメンバー限定です。表示するにはログインしてください。',
    locked: 'お持ちのメンバーシップでは、ここをご覧いただけません。',
    none: 'ここはメンバー限定です。このアカウントには有効なメンバーシップがありません。',
    error: 'メンバーシップを確認できなかったため、ここは今は表示できません。',
  },

  plans: {
    join: '参加する',
    buy: '購入する',
    continue: '続ける',
    open: '開く',
    yourPlan: 'ご利用中のプラン',
    loading: 'プランを読み込んでいます…',
    empty: '現在ご利用いただけるプランはありません。',
    opening: 'お支払い画面を開いています…',

    failures: {
      plan_unknown: 'このプランは提供を終了しました。料金は発生していません。',
      already_member: 'このメンバーシップはすでにお持ちです。重ねて請求されることはありません。',
      already_paid:
        'お支払いを確認しました。まもなくメンバーシップが有効になります。もう一度支払う必要はありません。',
      checkout_refused:
        'このプランは現在購入できません。料金は発生していません。サイトの運営者にお知らせください。',
      service_unavailable:
        '決済サービスが応答していません。料金は発生していません。しばらくしてからもう一度お試しください。',
      sign_in_required: 'ログインの状態が終了しています。続けるにはもう一度ログインしてください。',
      plans_unavailable: 'プランを読み込めませんでした。しばらくしてからもう一度お試しください。',
      network:
        '接続できません。料金は発生していません。オンラインであることを確認して、もう一度お試しください。',
      misconfigured: 'このサイトの購入が正しく設定されていません。運営者にお知らせください。',
    },
  },
};

registerMessages(ja);
