export const de = {
  'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.':
    'Eine Anmeldung funktioniert einmal. Wahrscheinlich hat Sie die Zurück-Taste oder ein Neuladen hierher geführt. Bitte beginnen Sie eine neue Anmeldung.',
  'Allow access': 'Zugriff erlauben',
  'Check again': 'Noch einmal prüfen',
  'Check now': 'Jetzt prüfen',
  Continue: 'Weiter',
  'Continue to payment': 'Weiter zur Zahlung',
  'Email address': 'E-Mail-Adresse',
  'Enter your email address': 'Geben Sie Ihre E-Mail-Adresse ein',
  'For your security, a sign-in has to be completed within a few minutes. Please try again.':
    'Zu Ihrer Sicherheit muss eine Anmeldung innerhalb weniger Minuten abgeschlossen werden. Bitte versuchen Sie es noch einmal.',
  'Forms and scripts of this site use it. You can go on from the start page.':
    'Formulare und Skripte dieser Website verwenden sie. Auf der Startseite geht es weiter.',
  'Get access': 'Zugang erhalten',
  'Go back': 'Zurück',
  'Go to the site': 'Zur Website',
  'Go to the start page': 'Zur Startseite',
  'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.':
    'Wenn Sie sie mit einem anderen Konto gekauft haben, wechseln Sie zu diesem. Wenn Sie nicht nach dem Konto gefragt werden, melden Sie sich zuerst beim Mitgliedschaftsdienst ab. Bitten Sie sonst die Website um eine Einladung.',
  'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.':
    'Wenn Sie ein anderes Konto haben, wechseln Sie zu diesem. Wenn Sie nicht nach dem Konto gefragt werden, melden Sie sich zuerst beim Mitgliedschaftsdienst ab.',
  'If you have just paid, try again in a moment. You need not pay again.':
    'Wenn Sie gerade bezahlt haben, versuchen Sie es gleich noch einmal. Sie müssen nicht noch einmal zahlen.',
  'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.':
    'Wenn Sie gerade bezahlt haben, warten Sie einen Moment und versuchen Sie es noch einmal. Wenn Sie diese Mitgliedschaft hier gekauft haben, wenden Sie sich an diese Website und nennen Sie die ID. Gehört sie zu einer anderen Website, umfasst sie diese Seite nicht.',
  'If your payment was declined, try again with another payment method.':
    'Wenn Ihre Zahlung abgelehnt wurde, versuchen Sie es mit einer anderen Zahlungsart.',
  'No invitation for this membership': 'Keine Einladung für diese Mitgliedschaft',
  'Not confirmed yet': 'Noch nicht bestätigt',
  'Nothing has changed': 'Es hat sich nichts geändert',
  'Nothing was charged.': 'Es wurde nichts abgebucht.',
  'Nothing was ordered': 'Es wurde nichts bestellt',
  'One moment, please': 'Einen Moment bitte',
  'Payment cancelled': 'Zahlung abgebrochen',
  'Please sign in first': 'Bitte melden Sie sich zuerst an',
  'Please try again in a moment.': 'Bitte versuchen Sie es gleich noch einmal.',
  'Please try again later. The site owner can find the reason in the log.':
    'Bitte versuchen Sie es später noch einmal. Der Betreiber der Website findet den Grund im Protokoll.',
  'Sign in': 'Anmelden',
  'Sign in with the address of your order': 'Melden Sie sich mit der Adresse Ihrer Bestellung an',
  'Sign in, then send the form again.': 'Melden Sie sich an und senden Sie das Formular dann noch einmal.',
  'Sign out': 'Abmelden',
  'Sign out here, then sign in with that address. If you have paid, you need not pay again.':
    'Melden Sie sich hier ab und dann mit dieser Adresse an. Wenn Sie bezahlt haben, müssen Sie nicht noch einmal zahlen.',
  'Sign-in could not be completed': 'Die Anmeldung konnte nicht abgeschlossen werden',
  'Sign-in is not available right now': 'Die Anmeldung ist gerade nicht möglich',
  'Sign-in took too long': 'Die Anmeldung hat zu lange gedauert',
  'Signed out in this browser': 'In diesem Browser abgemeldet',
  'Switch account': 'Konto wechseln',
  'Thank you, one moment': 'Danke, einen Moment',
  'The chat is not available': 'Der Chat ist nicht verfügbar',
  'The chat is not available right now': 'Der Chat ist gerade nicht verfügbar',
  'The chat of this community is not set up.': 'Der Chat dieser Community ist nicht eingerichtet.',
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.':
    'Die Mitgliedschaft ist an die Adresse gebunden, die Sie eingeben. Melden Sie sich danach mit dieser Adresse an, um sie zu nutzen.',
  'The membership service asks you for it. Nothing else is shared.':
    'Der Mitgliedschaftsdienst fragt Sie danach. Sonst wird nichts geteilt.',
  'The membership service could not be reached.': 'Der Mitgliedschaftsdienst war nicht erreichbar.',
  'The membership service could not be reached. Nothing was charged.':
    'Der Mitgliedschaftsdienst war nicht erreichbar. Es wurde nichts abgebucht.',
  'The membership service rejected the order of this site. Nothing was charged.':
    'Der Mitgliedschaftsdienst hat die Bestellung dieser Website abgelehnt. Es wurde nichts abgebucht.',
  'The membership service rejected the request of this site.':
    'Der Mitgliedschaftsdienst hat die Anfrage dieser Website abgelehnt.',
  'The order could not be read. Go back and try again.':
    'Die Bestellung konnte nicht gelesen werden. Gehen Sie zurück und versuchen Sie es noch einmal.',
  'The order did not come from a page of this site. Go to the site and try again.':
    'Die Bestellung kam nicht von einer Seite dieser Website. Gehen Sie zur Website und versuchen Sie es noch einmal.',
  'The sign-in service could not be reached. Please try again in a moment.':
    'Der Anmeldedienst war nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.':
    'Der Anmeldedienst hat diese Anmeldung abgelehnt. Bitte beginnen Sie eine neue. Wenn auch das nicht gelingt, findet der Betreiber der Website den Grund im Protokoll.',
  'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.':
    'Diese Adresse gehört zu einer Anmeldung, die bereits abgeschlossen wurde oder in einem anderen Browser begonnen hat. Sie können weitermachen.',
  'This address does not belong to a sign-in of this site. Please start a new sign-in.':
    'Diese Adresse gehört zu keiner Anmeldung dieser Website. Bitte beginnen Sie eine neue Anmeldung.',
  'This address is not a page': 'Diese Adresse ist keine Seite',
  'This is not an email address. Check it, for example name@example.com.':
    'Das ist keine E-Mail-Adresse. Prüfen Sie sie, zum Beispiel name@example.com.',
  'This needs your permission to see {data}.':
    'Dafür brauchen wir Ihre Erlaubnis, Folgendes zu sehen: {data}.',
  'This page is for members': 'Diese Seite ist für Mitglieder',
  'This page needs your permission': 'Diese Seite braucht Ihre Erlaubnis',
  'This plan cannot be bought right now': 'Dieser Tarif kann gerade nicht gekauft werden',
  'This plan is not for sale': 'Dieser Tarif wird nicht verkauft',
  'This sign-in has already been used': 'Diese Anmeldung wurde bereits verwendet',
  'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.':
    'Diese Anmeldung wurde bereits abgeschlossen. Wahrscheinlich hat Sie die Zurück-Taste oder ein Neuladen hierher geführt. Sie können weitermachen.',
  'This site does not recognise your membership': 'Diese Website erkennt Ihre Mitgliedschaft nicht',
  'This site does not sell this plan, or no longer does. Nothing was charged.':
    'Diese Website verkauft diesen Tarif nicht oder nicht mehr. Es wurde nichts abgebucht.',
  'Try again': 'Noch einmal versuchen',
  'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.':
    'Versuchen Sie es gleich noch einmal. Wenn es so bleibt, wenden Sie sich an diese Website und nennen Sie die ID. Sie müssen nicht noch einmal zahlen.',
  'You are already a member': 'Sie sind bereits Mitglied',
  'You are already signed in': 'Sie sind bereits angemeldet',
  'You are no longer signed in, so nothing was saved.':
    'Sie sind nicht mehr angemeldet, daher wurde nichts gespeichert.',
  'You are not signed in': 'Sie sind nicht angemeldet',
  'You are signed out in this browser. The session may still be active for a few minutes.':
    'Sie sind in diesem Browser abgemeldet. Die Sitzung kann noch ein paar Minuten aktiv sein.',
  'You declined access, so nothing more was shared with this site. You are still signed in.':
    'Sie haben abgelehnt, daher wurde mit dieser Website nichts weiter geteilt. Sie sind noch angemeldet.',
  'You declined access, so nothing was shared with this site. You can sign in at any time.':
    'Sie haben abgelehnt, daher wurde mit dieser Website nichts geteilt. Sie können sich jederzeit anmelden.',
  'You do not need to do anything, and you need not pay again.':
    'Sie müssen nichts tun und nicht noch einmal zahlen.',
  'You get access as soon as the confirmation arrives. You need not pay again.':
    'Sie erhalten Zugang, sobald die Bestätigung da ist. Sie müssen nicht noch einmal zahlen.',
  'Your access cannot be checked at the moment. Please try again shortly.':
    'Ihr Zugang kann gerade nicht geprüft werden. Bitte versuchen Sie es gleich noch einmal.',
  'Your account': 'Ihr Konto',
  'Your account already has this membership. Nothing was charged.':
    'Ihr Konto hat diese Mitgliedschaft bereits. Es wurde nichts abgebucht.',
  'Your account has no email address, and a purchase needs one.':
    'Ihr Konto hat keine E-Mail-Adresse, und ein Kauf braucht eine.',
  'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.':
    'Ihr Browser hat das Cookie dieser Anmeldung nicht gesendet. Vielleicht blockiert er Cookies, Sie haben in einem anderen Browser begonnen, oder es sind mehr als zehn Minuten vergangen. Bitte versuchen Sie es noch einmal.',
  'Your membership exists, but this site does not recognise it yet:':
    'Ihre Mitgliedschaft existiert, aber diese Website erkennt sie noch nicht:',
  'Your membership is active. Please ask the site, or try again later.':
    'Ihre Mitgliedschaft ist aktiv. Bitte fragen Sie die Website oder versuchen Sie es später noch einmal.',
  'Your membership is bound to the email address that you entered for this order.':
    'Ihre Mitgliedschaft ist an die E-Mail-Adresse gebunden, die Sie für diese Bestellung eingegeben haben.',
  'Your membership is not affected. The site owner can find the reason in the log.':
    'Ihre Mitgliedschaft ist nicht betroffen. Der Betreiber der Website findet den Grund im Protokoll.',
  'Your membership was not bought on this site with this account, so it has no invitation to the chat.':
    'Ihre Mitgliedschaft wurde nicht auf dieser Website mit diesem Konto gekauft, daher hat sie keine Einladung zum Chat.',
  'Your payment has not been confirmed yet. Some payments take a few minutes.':
    'Ihre Zahlung ist noch nicht bestätigt. Manche Zahlungen dauern ein paar Minuten.',
  'Your payment has not been processed yet.': 'Ihre Zahlung wurde noch nicht verarbeitet.',
  'Your payment is being confirmed. This page continues by itself, usually within seconds.':
    'Ihre Zahlung wird bestätigt. Diese Seite geht von selbst weiter, meist innerhalb von Sekunden.',
  'the products that you sell': 'die Produkte, die Sie verkaufen',
  'your memberships': 'Ihre Mitgliedschaften',
  '{account} has a membership that is not known here:':
    '{account} hat eine Mitgliedschaft, die hier nicht bekannt ist:',
  '{account} has an active membership, but not one that includes this page.':
    '{account} hat eine aktive Mitgliedschaft, aber keine, die diese Seite umfasst.',
  '{account} has no active membership here.': '{account} hat hier keine aktive Mitgliedschaft.',
};

/** A string on a built-in page, in English. */
export type Text = keyof typeof de;

/** Translations of every string into one language. */
export type Messages = Readonly<Record<Text, string>>;
