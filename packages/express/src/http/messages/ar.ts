import type { Messages } from './de.js';

export const ar: Messages = {
  'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.':
    'يعمل تسجيل الدخول مرة واحدة. ربما أتى بك إلى هنا زر الرجوع أو إعادة التحميل. يُرجى بدء تسجيل دخول جديد.',
  'Allow access': 'السماح بالوصول',
  'Check again': 'تحقق مرة أخرى',
  'Check now': 'تحقق الآن',
  Continue: 'متابعة',
  'Continue to payment': 'المتابعة إلى الدفع',
  'Email address': 'عنوان البريد الإلكتروني',
  'Enter your email address': 'أدخل عنوان بريدك الإلكتروني',
  'For your security, a sign-in has to be completed within a few minutes. Please try again.':
    'لأمانك يجب إتمام تسجيل الدخول خلال بضع دقائق. يُرجى المحاولة مرة أخرى.',
  'Forms and scripts of this site use it. You can go on from the start page.':
    'تستخدمه نماذج هذا الموقع وبرامجه النصية. يمكنك المتابعة من الصفحة الرئيسية.',
  'Get access': 'احصل على الوصول',
  'Go back': 'رجوع',
  'Go to the site': 'الانتقال إلى الموقع',
  'Go to the start page': 'الانتقال إلى الصفحة الرئيسية',
  'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.':
    'إذا اشتريتها بحساب آخر فانتقل إليه. إذا لم تُسأل عن الحساب فسجّل الخروج من خدمة العضويات أولًا. وإلا فاطلب دعوة من الموقع.',
  'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.':
    'إذا كان لديك حساب آخر فانتقل إليه. إذا لم تُسأل عن الحساب فسجّل الخروج من خدمة العضويات أولًا.',
  'If you have just paid, try again in a moment. You need not pay again.':
    'إذا دفعت للتو فحاول مرة أخرى بعد قليل. لا داعي للدفع مرة أخرى.',
  'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.':
    'إذا دفعت للتو فانتظر لحظة وحاول مرة أخرى. إذا اشتريت هذه العضوية هنا فتواصل مع هذا الموقع واذكر معرّفها. وإذا كانت لموقع آخر فهي لا تشمل هذه الصفحة.',
  'If your payment was declined, try again with another payment method.':
    'إذا رُفضت دفعتك فحاول مرة أخرى بوسيلة دفع أخرى.',
  'No invitation for this membership': 'لا توجد دعوة لهذه العضوية',
  'Not confirmed yet': 'لم يُؤكَّد بعد',
  'Nothing has changed': 'لم يتغير شيء',
  'Nothing was charged.': 'لم يُخصم شيء.',
  'Nothing was ordered': 'لم يُطلب شيء',
  'One moment, please': 'لحظة من فضلك',
  'Payment cancelled': 'أُلغي الدفع',
  'Please sign in first': 'يُرجى تسجيل الدخول أولًا',
  'Please try again in a moment.': 'يُرجى المحاولة مرة أخرى بعد قليل.',
  'Please try again later. The site owner can find the reason in the log.':
    'يُرجى المحاولة مرة أخرى لاحقًا. يجد مالك الموقع السبب في السجل.',
  'Sign in': 'تسجيل الدخول',
  'Sign in with the address of your order': 'سجّل الدخول بعنوان طلبك',
  'Sign in, then send the form again.': 'سجّل الدخول ثم أرسل النموذج مرة أخرى.',
  'Sign out': 'تسجيل الخروج',
  'Sign out here, then sign in with that address. If you have paid, you need not pay again.':
    'سجّل الخروج هنا ثم سجّل الدخول بذلك العنوان. إذا كنت قد دفعت فلا داعي للدفع مرة أخرى.',
  'Sign-in could not be completed': 'تعذّر إتمام تسجيل الدخول',
  'Sign-in is not available right now': 'تسجيل الدخول غير متاح الآن',
  'Sign-in took too long': 'استغرق تسجيل الدخول وقتًا طويلًا',
  'Signed out in this browser': 'سُجّل الخروج في هذا المتصفح',
  'Switch account': 'تبديل الحساب',
  'Thank you, one moment': 'شكرًا لك، لحظة',
  'The chat is not available': 'الدردشة غير متاحة',
  'The chat is not available right now': 'الدردشة غير متاحة الآن',
  'The chat of this community is not set up.': 'لم تُعدّ دردشة هذا المجتمع.',
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.':
    'ترتبط العضوية بالعنوان الذي تدخله. سجّل الدخول بعدها بذلك العنوان لاستخدامها.',
  'The membership service asks you for it. Nothing else is shared.':
    'تطلبه منك خدمة العضويات. لا يُشارك أي شيء آخر.',
  'The membership service could not be reached.': 'تعذّر الوصول إلى خدمة العضويات.',
  'The membership service could not be reached. Nothing was charged.':
    'تعذّر الوصول إلى خدمة العضويات. لم يُخصم شيء.',
  'The membership service rejected the order of this site. Nothing was charged.':
    'رفضت خدمة العضويات طلب هذا الموقع. لم يُخصم شيء.',
  'The membership service rejected the request of this site.': 'رفضت خدمة العضويات طلب هذا الموقع.',
  'The order could not be read. Go back and try again.': 'تعذّرت قراءة الطلب. ارجع وحاول مرة أخرى.',
  'The order did not come from a page of this site. Go to the site and try again.':
    'لم يأتِ الطلب من صفحة في هذا الموقع. انتقل إلى الموقع وحاول مرة أخرى.',
  'The sign-in service could not be reached. Please try again in a moment.':
    'تعذّر الوصول إلى خدمة تسجيل الدخول. يُرجى المحاولة مرة أخرى بعد قليل.',
  'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.':
    'رفضت خدمة تسجيل الدخول محاولة تسجيل الدخول هذه. يُرجى بدء محاولة جديدة. إذا لم تنجح هي أيضًا، يجد مالك الموقع السبب في السجل.',
  'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.':
    'ينتمي هذا العنوان إلى تسجيل دخول اكتمل سابقًا أو بدأ في متصفح آخر. يمكنك المتابعة.',
  'This address does not belong to a sign-in of this site. Please start a new sign-in.':
    'لا ينتمي هذا العنوان إلى أي تسجيل دخول في هذا الموقع. يُرجى بدء تسجيل دخول جديد.',
  'This address is not a page': 'هذا العنوان ليس صفحة',
  'This is not an email address. Check it, for example name@example.com.':
    'هذا ليس عنوان بريد إلكتروني. تحقق منه، مثلًا name@example.com.',
  'This needs your permission to see {data}.': 'يتطلب هذا إذنك لرؤية {data}.',
  'This page is for members': 'هذه الصفحة للأعضاء',
  'This page needs your permission': 'تتطلب هذه الصفحة إذنك',
  'This plan cannot be bought right now': 'لا يمكن شراء هذه الخطة الآن',
  'This plan is not for sale': 'هذه الخطة غير معروضة للبيع',
  'This sign-in has already been used': 'سبق استخدام تسجيل الدخول هذا',
  'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.':
    'اكتمل تسجيل الدخول هذا سابقًا. ربما أتى بك إلى هنا زر الرجوع أو إعادة التحميل. يمكنك المتابعة.',
  'This site does not recognise your membership': 'لا يتعرف هذا الموقع على عضويتك',
  'This site does not sell this plan, or no longer does. Nothing was charged.':
    'لا يبيع هذا الموقع هذه الخطة، أو لم يعد يبيعها. لم يُخصم شيء.',
  'Try again': 'حاول مرة أخرى',
  'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.':
    'حاول مرة أخرى بعد قليل. إذا استمر ذلك فتواصل مع هذا الموقع واذكر المعرّف. لا داعي للدفع مرة أخرى.',
  'You are already a member': 'أنت عضو بالفعل',
  'You are already signed in': 'سجّلت الدخول بالفعل',
  'You are no longer signed in, so nothing was saved.': 'لم تعد مسجّل الدخول، لذلك لم يُحفظ شيء.',
  'You are not signed in': 'لم تسجّل الدخول',
  'You are signed out in this browser. The session may still be active for a few minutes.':
    'سُجّل خروجك في هذا المتصفح. قد تبقى الجلسة نشطة بضع دقائق.',
  'You declined access, so nothing more was shared with this site. You are still signed in.':
    'رفضت الوصول، لذلك لم يُشارك المزيد مع هذا الموقع. ما زلت مسجّل الدخول.',
  'You declined access, so nothing was shared with this site. You can sign in at any time.':
    'رفضت الوصول، لذلك لم يُشارك شيء مع هذا الموقع. يمكنك تسجيل الدخول في أي وقت.',
  'You do not need to do anything, and you need not pay again.': 'لا داعي لفعل أي شيء أو للدفع مرة أخرى.',
  'You get access as soon as the confirmation arrives. You need not pay again.':
    'ستحصل على الوصول فور وصول التأكيد. لا داعي للدفع مرة أخرى.',
  'Your access cannot be checked at the moment. Please try again shortly.':
    'تعذّر التحقق من وصولك حاليًا. يُرجى المحاولة مرة أخرى بعد قليل.',
  'Your account': 'حسابك',
  'Your account already has this membership. Nothing was charged.':
    'لدى حسابك هذه العضوية بالفعل. لم يُخصم شيء.',
  'Your account has no email address, and a purchase needs one.':
    'ليس لحسابك عنوان بريد إلكتروني، والشراء يتطلب عنوانًا.',
  'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.':
    'لم يرسل متصفحك ملف تعريف الارتباط الخاص بتسجيل الدخول هذا. ربما يحظر ملفات تعريف الارتباط، أو بدأت في متصفح آخر، أو مضت أكثر من عشر دقائق. يُرجى المحاولة مرة أخرى.',
  'Your membership exists, but this site does not recognise it yet:':
    'عضويتك موجودة، لكن هذا الموقع لا يتعرف عليها بعد:',
  'Your membership is active. Please ask the site, or try again later.':
    'عضويتك نشطة. يُرجى سؤال الموقع أو المحاولة مرة أخرى لاحقًا.',
  'Your membership is bound to the email address that you entered for this order.':
    'عضويتك مرتبطة بعنوان البريد الإلكتروني الذي أدخلته لهذا الطلب.',
  'Your membership is not affected. The site owner can find the reason in the log.':
    'عضويتك غير متأثرة. يجد مالك الموقع السبب في السجل.',
  'Your membership was not bought on this site with this account, so it has no invitation to the chat.':
    'لم تُشترَ عضويتك في هذا الموقع بهذا الحساب، لذلك ليس لها دعوة إلى الدردشة.',
  'Your payment has not been confirmed yet. Some payments take a few minutes.':
    'لم تُؤكَّد دفعتك بعد. تستغرق بعض المدفوعات بضع دقائق.',
  'Your payment has not been processed yet.': 'لم تُعالج دفعتك بعد.',
  'Your payment is being confirmed. This page continues by itself, usually within seconds.':
    'جارٍ تأكيد دفعتك. تنتقل هذه الصفحة تلقائيًا، خلال ثوانٍ عادةً.',
  'the products that you sell': 'المنتجات التي تبيعها',
  'your memberships': 'عضوياتك',
  '{account} has a membership that is not known here:': 'لدى {account} عضوية غير معروفة هنا:',
  '{account} has an active membership, but not one that includes this page.':
    'لدى {account} عضوية نشطة، لكنها لا تشمل هذه الصفحة.',
  '{account} has no active membership here.': 'ليس لدى {account} عضوية نشطة هنا.',
};
