/** Origins of the shops that the two clients are registered for. */
export interface SandboxShops {
  /** A shop with static files and a script tag. */
  scriptTagShop: string;
  backendShop: string;
  /** More sites that both clients are registered for. */
  otherSites?: readonly string[];
}

/** Texts and links on the sandbox's pages. Nothing depends on them, and you can change them while the sandbox runs. */
export interface SandboxGuide {
  /** Notes about people, by email address. In place of an empty one, pages show the person's current memberships. */
  notes: Readonly<Record<string, string>>;
  /** API key of the sample data, shown to everyone; absent until the sandbox is seeded. */
  apiKey?: string;
  /** Origins that the two clients are registered for; absent until the sandbox is seeded. */
  origins?: SandboxShops;
  /** Pages of the demo shop that the front page's steps lead to; absent without the demo. */
  demo?: {
    /** Signs in as the person that the service knows, and leads to the gate. */
    readonly signIn: string;
    readonly gate: string;
  };
  /** Sites to start from. */
  shops: readonly { label: string; url: string }[];
  /** Pages of the service that sell something; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
}

/** Returns the origin of the site that the confidential client is registered for. */
export function siteUrlOf({ origins }: Pick<SandboxGuide, 'origins'>): string {
  return origins?.backendShop ?? 'http://localhost:3000';
}
