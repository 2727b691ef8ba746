/** Change that the doctor can make in a sandbox. */
export type Fix =
  | { readonly kind: 'add-redirect-uri'; readonly clientId: string; readonly redirectUri: string }
  | { readonly kind: 'add-origin'; readonly clientId: string; readonly origin: string }
  | { readonly kind: 'enable-webhook'; readonly webhookId: string }
  | { readonly kind: 'set-webhook-url'; readonly webhookId: string; readonly url: string };

/** Sentence about a change that was made. */
export function fixText(fix: Fix): string {
  switch (fix.kind) {
    case 'add-redirect-uri':
      return `Added the redirect URI ${fix.redirectUri} to the client ${fix.clientId}.`;
    case 'add-origin':
      return `Added the allowed web origin ${fix.origin} to the client ${fix.clientId}.`;
    case 'enable-webhook':
      return `Enabled the webhook ${fix.webhookId}.`;
    case 'set-webhook-url':
      return `Changed the URL of the webhook ${fix.webhookId} to ${fix.url}.`;
  }
}
