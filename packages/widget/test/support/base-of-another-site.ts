/** Gives the page a `<base href>` of another site while the work runs. */
export async function withBaseOfAnotherSite(work: () => Promise<void>): Promise<void> {
  const base = document.createElement('base');
  base.href = 'https://cdn.example/assets/';
  document.head.append(base);
  try {
    await work();
  } finally {
    base.remove();
  }
}

/** The hint that errors then contain. */
export const BASE_HINT = '<base href> makes it an address of https://cdn.example. Write the whole address.';
