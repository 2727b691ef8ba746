/** One Content-Security-Policy: the sources of each directive. */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>;

/** Resource that a policy allows or forbids. */
export interface PolicyRequest {
  readonly url: URL;
  /** Page with the policy, which `'self'` means. */
  readonly page: URL;
  /** Nonce of the script tag. */
  readonly nonce?: string | undefined;
  /** Attribute `integrity` of the script tag. */
  readonly integrity?: string | undefined;
}

const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
  'style-src': ['style-src-elem', 'style-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
};

/** Parses the policies of a header or of a meta element. A header can contain several, separated by commas. */
export function parsePolicies(text: string): ContentPolicy[] {
  return text
    .split(',')
    .map((policy) => {
      const directives = new Map<string, readonly string[]>();
      for (const part of policy.split(';')) {
        const [name = '', ...sources] = part.trim().split(/\s+/);
        // The first of two equal directives applies (CSP Level 3, section 2.2.1).
        if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
      }
      return directives;
    })
    .filter(({ size }) => size > 0);
}

/** Returns the sources that apply to a directive, or undefined if the policy allows everything. */
function sourcesOf(policy: ContentPolicy, directive: string): readonly string[] | undefined {
  const name = (FALLBACKS[directive] ?? [directive]).find((each) => policy.has(each));
  return name === undefined ? undefined : policy.get(name);
}

export function allows(
  policy: ContentPolicy,
  directive: 'script-src' | 'connect-src',
  request: PolicyRequest,
): boolean {
  const sources = sourcesOf(policy, directive);
  if (sources === undefined) return true;
  const { nonce, integrity = '' } = request;
  const hashes = integrity.split(/\s+/).filter((hash) => hash !== '');
  const isNamed =
    (nonce !== undefined && nonce !== '' && sources.includes(`'nonce-${nonce}'`)) ||
    (hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`)));
  if (directive === 'script-src' && isNamed) return true;
  // With 'strict-dynamic', browsers ignore the hosts of the list.
  if (directive === 'script-src' && sources.includes("'strict-dynamic'")) return false;
  return sources.some((source) => matches(source.toLowerCase(), request));
}

/** True if the policy allows this inline style. Hashes count as allowed: most tools create them from the page. */
export function allowsInlineStyle(policy: ContentPolicy, nonce: string | undefined): boolean {
  const sources = sourcesOf(policy, 'style-src');
  if (sources === undefined) return true;
  if (sources.some((source) => /^'sha(?:256|384|512)-/.test(source))) return true;
  const nonces = sources.filter((source) => source.startsWith("'nonce-"));
  if (nonces.length > 0) return nonce !== undefined && nonces.includes(`'nonce-${nonce}'`);
  return sources.includes("'unsafe-inline'");
}

function matches(source: string, { url, page }: PolicyRequest): boolean {
  if (source === "'self'") return isSameOrUpgraded(url, page);
  if (source === '*') return ['http:', 'https:', page.protocol].includes(url.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/.test(source)) {
    return url.protocol === source || (source === 'http:' && url.protocol === 'https:');
  }
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(source);
  if (parts === null || source.startsWith("'")) return false;
  const [, scheme, host = '', port, path = ''] = parts;
  return (
    matchesScheme(scheme ?? page.protocol.slice(0, -1), url) &&
    (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host) &&
    matchesPort(port, { url, scheme }) &&
    matchesPath(path, url.pathname.toLowerCase())
  );
}

function isSameOrUpgraded(url: URL, page: URL): boolean {
  return url.origin === page.origin || (url.protocol === 'https:' && url.host === page.host);
}

function matchesScheme(scheme: string, { protocol }: URL): boolean {
  return protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:');
}

function matchesPort(port: string | undefined, { url }: { url: URL; scheme: string | undefined }): boolean {
  if (port === '*') return true;
  const isDefault = url.port === '';
  if (port === undefined) return isDefault;
  const standard = url.protocol === 'https:' ? '443' : '80';
  return url.port === port || (isDefault && port === standard);
}

function matchesPath(path: string, pathname: string): boolean {
  if (path === '' || path === '/') return true;
  return path.endsWith('/') ? pathname.startsWith(path) : pathname === path;
}
