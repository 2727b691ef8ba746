/** The body of an OAuth error with its status (specification, "OAuth errors"). */
export interface OAuthError {
  status: number;
  error: string;
  error_description?: string;
}

export function oauthError(status: number, error: string, description?: string): OAuthError {
  return { status, error, ...(description === undefined ? {} : { error_description: description }) };
}
