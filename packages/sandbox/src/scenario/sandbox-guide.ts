/** Origins of the shops that the two clients are registered for. */
export interface SandboxShops {
  /** Shop with static files and a script tag. */
  scriptTagShop: string;
  backendShop: string;
}

/** Texts and links on the sandbox's pages. Nothing depends on them; a caller can change them while the sandbox runs. */
export interface SandboxGuide {
  /** Notes about people, by email address. */
  notes: Readonly<Record<string, string>>;
  /** API key of the sample data, shown to everyone; absent until the sandbox is seeded. */
  apiKey?: string;
  /** Origins that the two clients are registered for; absent until the sandbox is seeded. */
  origins?: SandboxShops;
  /** Pages of the demo shop to which the steps of the front page lead; absent without the demo. */
  demo?: { readonly signIn: string; readonly gate: string };
  /** Sites to start from. */
  shops: readonly { label: string; url: string }[];
  /** Pages of the service that sell something; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
}
