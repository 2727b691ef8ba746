/** Settings that decide if a client can be used. */
interface ClientAddresses {
  redirectUris: readonly string[];
  widgetOrigins: readonly string[];
  /** True if the hosted callback is among the redirect URIs. */
  hostedCallback: boolean;
}

/** Returns the problems that prevent sign-in with a client, each as a sentence with the fix. */
export function clientObstacles(client: ClientAddresses): string[] {
  const { redirectUris, widgetOrigins, hostedCallback } = client;
  if (redirectUris.length === 0) {
    return [
      'Nobody can sign in yet: there is no redirect URI. Add one, or switch the hosted callback on for the login widget.',
    ];
  }
  if (hostedCallback && widgetOrigins.length === 0) {
    return [
      'The login widget’s popup refuses every page: add the origins of your site to the allowed web origins.',
    ];
  }
  if (!hostedCallback && widgetOrigins.length > 0) {
    return [
      'The allowed web origins have no effect: they are for the hosted callback, which is switched off.',
    ];
  }
  return [];
}
