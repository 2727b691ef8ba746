/** Origins of the shops that the two clients are registered for. */
export interface SandboxShops {
  /** Shop with static files and a script tag. */
  scriptTagShop: string;
  backendShop: string;
  /** More sites that both clients are registered for. */
  otherSites?: readonly string[];
}

/** Texts and links on the sandbox's pages. Nothing depends on them; a caller can change them while the sandbox runs. */
export interface SandboxGuide {
  /** Notes about people, by email address. An empty one is replaced by the memberships that the person has at the moment. */
  notes: Readonly<Record<string, string>>;
  /** API key of the sample data, shown to everyone; absent until the sandbox is seeded. */
  apiKey?: string;
  /** Origins that the two clients are registered for; absent until the sandbox is seeded. */
  origins?: SandboxShops;
  /** Pages of the demo shop to which the steps of the front page lead; absent without the demo. */
  demo?: {
    /** Signs in as the person whom the service knows, and leads to the gate. */
    readonly signIn: string;
    readonly gate: string;
  };
  /** Sites to start from. */
  shops: readonly { label: string; url: string }[];
  /** Pages of the service that sell something; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
}

/** Returns the origin of the site that the client with a secret is registered for. */
export function siteUrlOf({ origins }: Pick<SandboxGuide, 'origins'>): string {
  return origins?.backendShop ?? 'http://localhost:3000';
}
