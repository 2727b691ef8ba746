const NAMES = new Intl.DisplayNames('en', { type: 'currency' });

/** Returns the options of a currency field, with code and name. */
export function currencyOptions(codes: readonly string[]): { value: string; label: string }[] {
  return codes.map((code) => {
    const name = NAMES.of(code) ?? code;
    return { value: code, label: name === code ? code : `${code}, ${name}` };
  });
}
