import type { Messages } from './en.js';
import { registerMessages } from './registry.js';

/** German. Importing this file registers it. */
export const de: Messages = {
  locale: 'de',

  signIn: 'Anmelden',
  signOut: 'Abmelden',
  cancel: 'Abbrechen',
  tryAgain: 'Noch einmal versuchen',
  signInAgain: 'Erneut anmelden',
  dismiss: 'Schließen',
  showWindow: 'Fenster zeigen',

  opening: 'Das Anmeldefenster wird geöffnet …',
  waiting: 'Weiter geht es im Anmeldefenster.',
  exchanging: 'Die Anmeldung wird abgeschlossen …',
  expired: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an, um weiterzumachen.',

  signedIn: 'Sie sind angemeldet',
  signedInAs: (name) => `Angemeldet als ${name}`,
  account: 'Ihr Konto',
  noMemberships: 'Keine aktive Mitgliedschaft',
  manageAccount: 'Konto verwalten',
  switchAccount: 'Konto wechseln',
  until: (date) => `bis ${date}`,
  unlimited: 'Unbefristet',
  kinds: {
    community: 'Mitgliedschaft in der Community',
    digital_product: 'Digitales Produkt',
    clipping_campaign: 'Clipping-Kampagne',
    agency: 'Agentur',
  },
  otherKind: 'Mitgliedschaft',

  stillSignedIn: 'Sie sind noch angemeldet.',
  errorCode: (code) => `Fehlercode: ${code}`,
  failures: {
    popup_blocked:
      'Ihr Browser hat das Anmeldefenster blockiert. Erlauben Sie Pop-ups für diese Seite und versuchen Sie es noch einmal.',
    popup_closed: 'Das Anmeldefenster wurde geschlossen, bevor Sie fertig waren.',
    opener_severed:
      'Das Anmeldefenster kann dieser Seite nicht antworten. Bitte sagen Sie es dem Betreiber der Seite.',
    origin_refused: 'Diese Seite darf Ihre Anmeldung nicht erhalten. Bitte sagen Sie es ihrem Betreiber.',
    state_mismatch: 'Diese Anmeldung ist abgelaufen. Versuchen Sie es noch einmal.',
    access_denied: 'Sie haben abgelehnt; mit dieser Seite wurde nichts geteilt.',
    code_expired: 'Diese Anmeldung hat zu lange gedauert und ist abgelaufen. Versuchen Sie es noch einmal.',
    network: 'Keine Verbindung. Prüfen Sie, ob Sie online sind, und versuchen Sie es noch einmal.',
    script_missing:
      'Ein Teil dieser Seite wurde nicht geladen. Laden Sie die Seite neu, oder aktualisieren Sie Ihren Browser.',
    service_error: 'Der Anmeldedienst hat ein Problem. Bitte versuchen Sie es gleich noch einmal.',
    cookies_blocked:
      'Ihr Browser blockiert die Cookies dieser Seite. Erlauben Sie Cookies für diese Seite und versuchen Sie es noch einmal.',
    insecure_context:
      'Anmelden geht nur auf sicheren Seiten (https). Bitte sagen Sie es dem Betreiber der Seite.',
    misconfigured:
      'Die Anmeldung ist hier nicht richtig eingerichtet. Bitte sagen Sie es dem Betreiber der Seite.',
  },

  gate: {
    loading: 'Ihre Mitgliedschaft wird nachgeschlagen …',
    'signed-out': 'Dieser Teil ist für Mitglieder. Melden Sie sich an, um ihn zu sehen.',
    locked: 'Ihre Mitgliedschaft umfasst das nicht.',
    none: 'Dieser Teil ist für Mitglieder. Dieses Konto hat keine aktive Mitgliedschaft.',
    error: 'Ihre Mitgliedschaft konnte nicht nachgeschlagen werden; dieser Teil bleibt vorerst geschlossen.',
  },

  plans: {
    join: 'Mitglied werden',
    buy: 'Kaufen',
    continue: 'Weiter',
    open: 'Öffnen',
    yourPlan: 'Ihr Tarif',
    loading: 'Tarife werden geladen …',
    empty: 'Zurzeit sind keine Tarife verfügbar.',
    opening: 'Die Kasse wird geöffnet …',

    failures: {
      plan_unknown: 'Diesen Tarif gibt es nicht mehr. Es wurde nichts abgebucht.',
      already_member: 'Sie haben diese Mitgliedschaft bereits. Es wurde nichts noch einmal abgebucht.',
      already_paid:
        'Ihre Zahlung ist eingegangen, die Mitgliedschaft folgt in Kürze. Sie müssen nicht noch einmal zahlen.',
      checkout_refused:
        'Dieser Tarif kann gerade nicht gekauft werden. Es wurde nichts abgebucht. Bitte sagen Sie es dem Betreiber der Seite.',
      service_unavailable:
        'Der Zahlungsdienst antwortet nicht. Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
      sign_in_required: 'Sie sind nicht mehr angemeldet. Melden Sie sich erneut an, um fortzufahren.',
      plans_unavailable:
        'Die Tarife konnten nicht geladen werden. Bitte versuchen Sie es gleich noch einmal.',
      network:
        'Keine Verbindung. Es wurde nichts abgebucht. Prüfen Sie, ob Sie online sind, und versuchen Sie es noch einmal.',
      misconfigured:
        'Der Kauf ist hier nicht richtig eingerichtet. Bitte sagen Sie es dem Betreiber der Seite.',
    },
  },
};

registerMessages(de);
