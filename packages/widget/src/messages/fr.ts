import type { Messages } from './en.js';
import { registerMessages } from './registry.js';

/** French. Importing this file registers it. */
export const fr: Messages = {
  locale: 'fr',

  signIn: 'Se connecter',
  signOut: 'Se déconnecter',
  cancel: 'Annuler',
  tryAgain: 'Réessayer',
  signInAgain: 'Se reconnecter',
  dismiss: 'Fermer',
  showWindow: 'Afficher la fenêtre',

  opening: 'Ouverture de la fenêtre de connexion…',
  waiting: 'Continuez dans la fenêtre de connexion.',
  exchanging: 'Fin de la connexion…',
  expired: 'Votre session est terminée. Reconnectez-vous pour continuer.',

  signedIn: 'Vous êtes connecté',
  signedInAs: (name) => `Connecté en tant que ${name}`,
  account: 'Votre compte',
  noMemberships: 'Aucune adhésion active',
  manageAccount: 'Gérer le compte',
  switchAccount: 'Changer de compte',
  until: (date) => `jusqu’au ${date}`,
  unlimited: 'À vie',
  kinds: {
    community: 'Adhésion à la communauté',
    digital_product: 'Produit numérique',
    clipping_campaign: 'Campagne de clips',
    agency: 'Agence',
  },
  otherKind: 'Adhésion',

  stillSignedIn: 'Vous êtes toujours connecté.',
  errorCode: (code) => `Code d’erreur : ${code}`,
  failures: {
    popup_blocked:
      'Votre navigateur a bloqué la fenêtre de connexion. Autorisez les fenêtres pop-up pour ce site, puis réessayez.',
    popup_closed: 'La fenêtre de connexion a été fermée avant la fin.',
    opener_severed:
      'La fenêtre de connexion ne peut pas répondre à cette page. Prévenez le propriétaire de ce site.',
    origin_refused: 'Ce site n’est pas autorisé à recevoir votre connexion. Prévenez son propriétaire.',
    state_mismatch: 'Cette connexion a expiré. Réessayez.',
    access_denied: 'Vous avez refusé : rien n’a été partagé avec ce site.',
    code_expired: 'Cette connexion a pris trop de temps et a expiré. Réessayez.',
    network: 'Pas de connexion. Vérifiez que vous êtes en ligne, puis réessayez.',
    script_missing:
      'Une partie de cette page n’a pas été chargée. Rechargez la page, ou mettez à jour votre navigateur.',
    service_error: 'Le service de connexion a un problème. Réessayez dans un instant.',
    cookies_blocked:
      'Votre navigateur bloque les cookies de ce site. Autorisez les cookies pour ce site, puis réessayez.',
    insecure_context:
      'La connexion ne fonctionne que sur les pages sécurisées (https). Prévenez le propriétaire de ce site.',
    misconfigured: 'La connexion n’est pas configurée correctement ici. Prévenez le propriétaire de ce site.',
  },

  gate: {
    loading: 'Recherche de votre adhésion…',
    'signed-out': 'Cette partie est réservée aux membres. Connectez-vous pour la voir.',
    locked: 'Votre adhésion ne comprend pas cela.',
    none: 'Cette partie est réservée aux membres. Ce compte n’a aucune adhésion active.',
    error: 'Votre adhésion n’a pas pu être vérifiée ; cette partie reste fermée pour l’instant.',
  },

  plans: {
    join: 'Adhérer',
    buy: 'Acheter',
    continue: 'Continuer',
    open: 'Ouvrir',
    yourPlan: 'Votre formule',
    loading: 'Chargement des formules…',
    empty: 'Aucune formule n’est disponible pour le moment.',
    opening: 'Ouverture du paiement…',

    failures: {
      plan_unknown: 'Cette formule n’est plus disponible. Rien n’a été débité.',
      already_member: 'Vous avez déjà cette adhésion. Rien n’a été débité à nouveau.',
      already_paid:
        'Votre paiement est arrivé et votre adhésion suit sous peu. Vous n’avez pas à payer de nouveau.',
      checkout_refused:
        'Cette formule ne peut pas être achetée pour le moment. Rien n’a été débité. Prévenez le propriétaire de ce site.',
      service_unavailable:
        'Le service de paiement ne répond pas. Rien n’a été débité. Réessayez dans un instant.',
      sign_in_required: 'Vous n’êtes plus connecté. Reconnectez-vous pour continuer.',
      plans_unavailable: 'Les formules n’ont pas pu être chargées. Réessayez dans un instant.',
      network: 'Pas de connexion. Rien n’a été débité. Vérifiez que vous êtes en ligne, puis réessayez.',
      misconfigured: 'L’achat n’est pas configuré correctement ici. Prévenez le propriétaire de ce site.',
    },
  },
};

registerMessages(fr);
