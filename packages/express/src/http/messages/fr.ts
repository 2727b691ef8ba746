import type { Messages } from './de.js';

export const fr: Messages = {
  'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.':
    'Une connexion ne sert qu’une fois. Le bouton Retour ou un rechargement vous a sans doute amené ici. Veuillez recommencer la connexion.',
  'Allow access': 'Autoriser l’accès',
  'Check again': 'Vérifier de nouveau',
  'Check now': 'Vérifier maintenant',
  Continue: 'Continuer',
  'Continue to payment': 'Continuer vers le paiement',
  'Email address': 'Adresse e-mail',
  'Enter your email address': 'Saisissez votre adresse e-mail',
  'For your security, a sign-in has to be completed within a few minutes. Please try again.':
    'Pour votre sécurité, une connexion doit être terminée en quelques minutes. Veuillez réessayer.',
  'Forms and scripts of this site use it. You can go on from the start page.':
    'Des formulaires et des scripts de ce site l’utilisent. Vous pouvez continuer depuis la page d’accueil.',
  'Get access': 'Obtenir l’accès',
  'Go back': 'Retour',
  'Go to the site': 'Aller au site',
  'Go to the start page': 'Aller à la page d’accueil',
  'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.':
    'Si vous l’avez achetée avec un autre compte, passez à celui-ci. Si on ne vous demande pas lequel, déconnectez-vous d’abord du service d’adhésion. Sinon, demandez une invitation au site.',
  'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.':
    'Si vous avez un autre compte, passez à celui-ci. Si on ne vous demande pas lequel, déconnectez-vous d’abord du service d’adhésion.',
  'If you have just paid, try again in a moment. You need not pay again.':
    'Si vous venez de payer, réessayez dans un instant. Vous n’avez pas à payer de nouveau.',
  'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.':
    'Si vous venez de payer, attendez un instant et réessayez. Si vous avez acheté cette adhésion ici, contactez ce site en indiquant son identifiant. Si elle appartient à un autre site, elle ne comprend pas cette page.',
  'If your payment was declined, try again with another payment method.':
    'Si votre paiement a été refusé, réessayez avec un autre moyen de paiement.',
  'No invitation for this membership': 'Pas d’invitation pour cette adhésion',
  'Not confirmed yet': 'Pas encore confirmé',
  'Nothing has changed': 'Rien n’a changé',
  'Nothing was charged.': 'Rien n’a été débité.',
  'Nothing was ordered': 'Rien n’a été commandé',
  'One moment, please': 'Un instant, s’il vous plaît',
  'Payment cancelled': 'Paiement annulé',
  'Please sign in first': 'Veuillez d’abord vous connecter',
  'Please try again in a moment.': 'Veuillez réessayer dans un instant.',
  'Please try again later. The site owner can find the reason in the log.':
    'Veuillez réessayer plus tard. Le propriétaire du site trouvera la raison dans le journal.',
  'Sign in': 'Se connecter',
  'Sign in with the address of your order': 'Connectez-vous avec l’adresse de votre commande',
  'Sign in, then send the form again.': 'Connectez-vous, puis renvoyez le formulaire.',
  'Sign out': 'Se déconnecter',
  'Sign out here, then sign in with that address. If you have paid, you need not pay again.':
    'Déconnectez-vous ici, puis connectez-vous avec cette adresse. Si vous avez payé, vous n’avez pas à payer de nouveau.',
  'Sign-in could not be completed': 'La connexion n’a pas pu être terminée',
  'Sign-in is not available right now': 'La connexion est indisponible pour le moment',
  'Sign-in took too long': 'La connexion a pris trop de temps',
  'Signed out in this browser': 'Déconnecté dans ce navigateur',
  'Switch account': 'Changer de compte',
  'Thank you, one moment': 'Merci, un instant',
  'The chat is not available': 'Le chat n’est pas disponible',
  'The chat is not available right now': 'Le chat n’est pas disponible pour le moment',
  'The chat of this community is not set up.': 'Le chat de cette communauté n’est pas configuré.',
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.':
    'L’adhésion est liée à l’adresse que vous saisissez. Connectez-vous ensuite avec cette adresse pour l’utiliser.',
  'The membership service asks you for it. Nothing else is shared.':
    'Le service d’adhésion vous la demande. Rien d’autre n’est partagé.',
  'The membership service could not be reached.': 'Le service d’adhésion n’a pas pu être joint.',
  'The membership service could not be reached. Nothing was charged.':
    'Le service d’adhésion n’a pas pu être joint. Rien n’a été débité.',
  'The membership service rejected the order of this site. Nothing was charged.':
    'Le service d’adhésion a refusé la commande de ce site. Rien n’a été débité.',
  'The membership service rejected the request of this site.':
    'Le service d’adhésion a refusé la demande de ce site.',
  'The order could not be read. Go back and try again.':
    'La commande n’a pas pu être lue. Revenez en arrière et réessayez.',
  'The order did not come from a page of this site. Go to the site and try again.':
    'La commande ne venait pas d’une page de ce site. Allez sur le site et réessayez.',
  'The sign-in service could not be reached. Please try again in a moment.':
    'Le service de connexion n’a pas pu être joint. Veuillez réessayer dans un instant.',
  'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.':
    'Le service de connexion a refusé cette connexion. Veuillez en commencer une nouvelle. Si elle échoue aussi, le propriétaire du site trouvera la raison dans le journal.',
  'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.':
    'Cette adresse appartient à une connexion déjà terminée ou commencée dans un autre navigateur. Vous pouvez continuer.',
  'This address does not belong to a sign-in of this site. Please start a new sign-in.':
    'Cette adresse n’appartient à aucune connexion de ce site. Veuillez recommencer la connexion.',
  'This address is not a page': 'Cette adresse n’est pas une page',
  'This is not an email address. Check it, for example name@example.com.':
    'Ce n’est pas une adresse e-mail. Vérifiez-la, par exemple nom@example.com.',
  'This needs your permission to see {data}.': 'Cela demande votre autorisation pour voir {data}.',
  'This page is for members': 'Cette page est réservée aux membres',
  'This page needs your permission': 'Cette page demande votre autorisation',
  'This plan cannot be bought right now': 'Cette formule ne peut pas être achetée pour le moment',
  'This plan is not for sale': 'Cette formule n’est pas en vente',
  'This sign-in has already been used': 'Cette connexion a déjà été utilisée',
  'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.':
    'Cette connexion est déjà terminée. Le bouton Retour ou un rechargement vous a sans doute amené ici. Vous pouvez continuer.',
  'This site does not recognise your membership': 'Ce site ne reconnaît pas votre adhésion',
  'This site does not sell this plan, or no longer does. Nothing was charged.':
    'Ce site ne vend pas cette formule, ou ne la vend plus. Rien n’a été débité.',
  'Try again': 'Réessayer',
  'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.':
    'Réessayez dans un instant. Si cela persiste, contactez ce site en indiquant l’identifiant. Vous n’avez pas à payer de nouveau.',
  'You are already a member': 'Vous êtes déjà membre',
  'You are already signed in': 'Vous êtes déjà connecté',
  'You are no longer signed in, so nothing was saved.':
    'Vous n’êtes plus connecté : rien n’a donc été enregistré.',
  'You are not signed in': 'Vous n’êtes pas connecté',
  'You are signed out in this browser. The session may still be active for a few minutes.':
    'Vous êtes déconnecté dans ce navigateur. La session peut rester active quelques minutes.',
  'You declined access, so nothing more was shared with this site. You are still signed in.':
    'Vous avez refusé l’accès : rien de plus n’a été partagé avec ce site. Vous êtes toujours connecté.',
  'You declined access, so nothing was shared with this site. You can sign in at any time.':
    'Vous avez refusé l’accès : rien n’a été partagé avec ce site. Vous pouvez vous connecter à tout moment.',
  'You do not need to do anything, and you need not pay again.':
    'Vous n’avez rien à faire, ni à payer de nouveau.',
  'You get access as soon as the confirmation arrives. You need not pay again.':
    'Vous aurez accès dès que la confirmation arrivera. Vous n’avez pas à payer de nouveau.',
  'Your access cannot be checked at the moment. Please try again shortly.':
    'Votre accès ne peut pas être vérifié pour le moment. Veuillez réessayer dans un instant.',
  'Your account': 'Votre compte',
  'Your account already has this membership. Nothing was charged.':
    'Votre compte a déjà cette adhésion. Rien n’a été débité.',
  'Your account has no email address, and a purchase needs one.':
    'Votre compte n’a pas d’adresse e-mail, et un achat en demande une.',
  'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.':
    'Votre navigateur n’a pas envoyé le cookie de cette connexion. Il bloque peut-être les cookies, vous avez peut-être commencé dans un autre navigateur, ou plus de dix minutes se sont écoulées. Veuillez réessayer.',
  'Your membership exists, but this site does not recognise it yet:':
    'Votre adhésion existe, mais ce site ne la reconnaît pas encore :',
  'Your membership is active. Please ask the site, or try again later.':
    'Votre adhésion est active. Veuillez demander au site ou réessayer plus tard.',
  'Your membership is bound to the email address that you entered for this order.':
    'Votre adhésion est liée à l’adresse e-mail que vous avez saisie pour cette commande.',
  'Your membership is not affected. The site owner can find the reason in the log.':
    'Votre adhésion n’est pas concernée. Le propriétaire du site trouvera la raison dans le journal.',
  'Your membership was not bought on this site with this account, so it has no invitation to the chat.':
    'Votre adhésion n’a pas été achetée sur ce site avec ce compte : elle n’a donc pas d’invitation au chat.',
  'Your payment has not been confirmed yet. Some payments take a few minutes.':
    'Votre paiement n’est pas encore confirmé. Certains paiements prennent quelques minutes.',
  'Your payment has not been processed yet.': 'Votre paiement n’a pas encore été traité.',
  'Your payment is being confirmed. This page continues by itself, usually within seconds.':
    'Votre paiement est en cours de confirmation. Cette page continue d’elle-même, en général en quelques secondes.',
  'the products that you sell': 'les produits que vous vendez',
  'your memberships': 'vos adhésions',
  '{account} has a membership that is not known here:': '{account} a une adhésion qui n’est pas connue ici :',
  '{account} has an active membership, but not one that includes this page.':
    '{account} a une adhésion active, mais aucune qui comprenne cette page.',
  '{account} has no active membership here.': '{account} n’a pas d’adhésion active ici.',
};
