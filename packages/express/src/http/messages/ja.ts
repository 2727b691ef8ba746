import type { Messages } from './de.js';

export const ja: Messages = {
  'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.':
    'ログインは 1 回だけ有効です。「戻る」ボタンか再読み込みによってここに来たと思われます。もう一度ログインを始めてください。',
  'Allow access': 'アクセスを許可',
  'Check again': 'もう一度確認',
  'Check now': '今すぐ確認',
  Continue: '続ける',
  'Continue to payment': 'お支払いへ進む',
  'Email address': 'メールアドレス',
  'Enter your email address': 'メールアドレスを入力してください',
  'For your security, a sign-in has to be completed within a few minutes. Please try again.':
    '安全のため、ログインは数分以内に完了する必要があります。もう一度お試しください。',
  'Forms and scripts of this site use it. You can go on from the start page.':
    'このサイトのフォームとスクリプトが使うアドレスです。トップページからお進みください。',
  'Get access': 'アクセスを取得',
  'Go back': '戻る',
  'Go to the site': 'サイトへ',
  'Go to the start page': 'トップページへ',
  'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.':
    '別のアカウントで購入した場合は、そのアカウントに切り替えてください。アカウントを選べない場合は、先にメンバーシップサービスからログアウトしてください。それ以外の場合は、サイトに招待を依頼してください。',
  'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.':
    '別のアカウントをお持ちの場合は、切り替えてください。アカウントを選べない場合は、先にメンバーシップサービスからログアウトしてください。',
  'If you have just paid, try again in a moment. You need not pay again.':
    'お支払い直後の場合は、しばらくしてからもう一度お試しください。もう一度支払う必要はありません。',
  'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.':
    'お支払い直後の場合は、しばらく待ってからもう一度お試しください。ここで購入したメンバーシップの場合は、ID を添えてこのサイトにお問い合わせください。別のサイトのものであれば、このページは含まれません。',
  'If your payment was declined, try again with another payment method.':
    'お支払いが拒否された場合は、別のお支払い方法でもう一度お試しください。',
  'No invitation for this membership': 'このメンバーシップには招待がありません',
  'Not confirmed yet': 'まだ確認できていません',
  'Nothing has changed': '変更はありません',
  'Nothing was charged.': '料金は発生していません。',
  'Nothing was ordered': '注文は行われていません',
  'One moment, please': '少々お待ちください',
  'Payment cancelled': 'お支払いを中止しました',
  'Please sign in first': '先にログインしてください',
  'Please try again in a moment.': 'しばらくしてからもう一度お試しください。',
  'Please try again later. The site owner can find the reason in the log.':
    '後でもう一度お試しください。理由はサイトの運営者がログで確認できます。',
  'Sign in': 'ログイン',
  'Sign in with the address of your order': 'ご注文のアドレスでログインしてください',
  'Sign in, then send the form again.': 'ログインしてから、フォームをもう一度送信してください。',
  'Sign out': 'ログアウト',
  'Sign out here, then sign in with that address. If you have paid, you need not pay again.':
    'ここでログアウトしてから、そのアドレスでログインしてください。お支払い済みの場合、もう一度支払う必要はありません。',
  'Sign-in could not be completed': 'ログインを完了できませんでした',
  'Sign-in is not available right now': '現在ログインをご利用いただけません',
  'Sign-in took too long': 'ログインに時間がかかりすぎました',
  'Signed out in this browser': 'このブラウザでログアウトしました',
  'Switch account': 'アカウントを切り替える',
  'Thank you, one moment': 'ありがとうございます。少々お待ちください',
  'The chat is not available': 'チャットをご利用いただけません',
  'The chat is not available right now': '現在チャットをご利用いただけません',
  'The chat of this community is not set up.': 'このコミュニティのチャットは設定されていません。',
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.':
    'メンバーシップは、入力したアドレスに結び付きます。利用するには、後でそのアドレスでログインしてください。',
  'The membership service asks you for it. Nothing else is shared.':
    'メンバーシップサービスが許可を確認します。他の情報は共有されません。',
  'The membership service could not be reached.': 'メンバーシップサービスに接続できませんでした。',
  'The membership service could not be reached. Nothing was charged.':
    'メンバーシップサービスに接続できませんでした。料金は発生していません。',
  'The membership service rejected the order of this site. Nothing was charged.':
    'メンバーシップサービスがこのサイトからの注文を拒否しました。料金は発生していません。',
  'The membership service rejected the request of this site.':
    'メンバーシップサービスがこのサイトのリクエストを拒否しました。',
  'The order could not be read. Go back and try again.':
    '注文を読み取れませんでした。戻ってもう一度お試しください。',
  'The order did not come from a page of this site. Go to the site and try again.':
    'この注文はこのサイトのページから送信されたものではありません。サイトに移動してもう一度お試しください。',
  'The sign-in service could not be reached. Please try again in a moment.':
    'ログインサービスに接続できませんでした。しばらくしてからもう一度お試しください。',
  'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.':
    'ログインサービスがこのログインを拒否しました。もう一度ログインしてください。それでもできない場合、理由はサイトの運営者がログで確認できます。',
  'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.':
    'このアドレスは、すでに完了したログイン、または別のブラウザで始めたログインのものです。このまま続けられます。',
  'This address does not belong to a sign-in of this site. Please start a new sign-in.':
    'このアドレスは、このサイトのログインのものではありません。もう一度ログインを始めてください。',
  'This address is not a page': 'このアドレスはページではありません',
  'This is not an email address. Check it, for example name@example.com.':
    'メールアドレスではありません。name@example.com のような形式かご確認ください。',
  'This needs your permission to see {data}.': '{data}を見る許可が必要です。',
  'This page is for members': 'このページはメンバー専用です',
  'This page needs your permission': 'このページには許可が必要です',
  'This plan cannot be bought right now': '現在このプランは購入できません',
  'This plan is not for sale': 'このプランは販売していません',
  'This sign-in has already been used': 'このログインはすでに使われています',
  'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.':
    'このログインはすでに完了しています。「戻る」ボタンか再読み込みによってここに来たと思われます。このまま続けられます。',
  'This site does not recognise your membership': 'このサイトはあなたのメンバーシップを認識できません',
  'This site does not sell this plan, or no longer does. Nothing was charged.':
    'このサイトはこのプランを販売していないか、販売を終了しました。料金は発生していません。',
  'Try again': 'もう一度試す',
  'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.':
    'しばらくしてからもう一度お試しください。変わらない場合は、ID を添えてこのサイトにお問い合わせください。もう一度支払う必要はありません。',
  'You are already a member': 'すでにメンバーです',
  'You are already signed in': 'すでにログインしています',
  'You are no longer signed in, so nothing was saved.': 'ログアウトされているため、何も保存されていません。',
  'You are not signed in': 'ログインしていません',
  'You are signed out in this browser. The session may still be active for a few minutes.':
    'このブラウザでログアウトしました。セッションは数分間有効な場合があります。',
  'You declined access, so nothing more was shared with this site. You are still signed in.':
    'アクセスを拒否したため、このサイトとはこれ以上何も共有されていません。ログインは続いています。',
  'You declined access, so nothing was shared with this site. You can sign in at any time.':
    'アクセスを拒否したため、このサイトとは何も共有されていません。いつでもログインできます。',
  'You do not need to do anything, and you need not pay again.':
    '何もする必要はありません。もう一度支払う必要もありません。',
  'You get access as soon as the confirmation arrives. You need not pay again.':
    '確認ができ次第、アクセスできるようになります。もう一度支払う必要はありません。',
  'Your access cannot be checked at the moment. Please try again shortly.':
    '現在アクセスを確認できません。しばらくしてからもう一度お試しください。',
  'Your account': 'あなたのアカウント',
  'Your account already has this membership. Nothing was charged.':
    'このアカウントにはすでにこのメンバーシップがあります。料金は発生していません。',
  'Your account has no email address, and a purchase needs one.':
    'アカウントにメールアドレスがありません。購入にはメールアドレスが必要です。',
  'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.':
    'ブラウザからこのログインの Cookie が送信されませんでした。Cookie がブロックされているか、別のブラウザで始めたか、10 分以上が過ぎた可能性があります。もう一度お試しください。',
  'Your membership exists, but this site does not recognise it yet:':
    'メンバーシップは存在しますが、このサイトではまだ認識できていません:',
  'Your membership is active. Please ask the site, or try again later.':
    'メンバーシップは有効です。サイトにお問い合わせいただくか、後でもう一度お試しください。',
  'Your membership is bound to the email address that you entered for this order.':
    'メンバーシップは、このご注文で入力したメールアドレスに結び付いています。',
  'Your membership is not affected. The site owner can find the reason in the log.':
    'メンバーシップに影響はありません。理由はサイトの運営者がログで確認できます。',
  'Your membership was not bought on this site with this account, so it has no invitation to the chat.':
    'このメンバーシップは、このサイトでこのアカウントから購入されたものではないため、チャットへの招待がありません。',
  'Your payment has not been confirmed yet. Some payments take a few minutes.':
    'お支払いの確認がまだできていません。数分かかる場合があります。',
  'Your payment has not been processed yet.': 'お支払いの処理がまだ完了していません。',
  'Your payment is being confirmed. This page continues by itself, usually within seconds.':
    'お支払いを確認しています。通常は数秒で、このページが自動的に進みます。',
  'the products that you sell': '販売している商品',
  'your memberships': 'メンバーシップ',
  '{account} has a membership that is not known here:':
    '{account} には、ここで認識できないメンバーシップがあります:',
  '{account} has an active membership, but not one that includes this page.':
    '{account} には有効なメンバーシップがありますが、このページは含まれていません。',
  '{account} has no active membership here.': '{account} には、ここで有効なメンバーシップがありません。',
};
