/** Self-signed certificate for localhost, valid from 2020 to 2120. Its key is public: for tests only. */
export const localhostCertificate: { readonly key: string; readonly cert: string };
