/** Light modules around a QR code (ISO/IEC 18004). */
const BORDER = 4;

/** Returns the modules of a QR code by row, true for dark. The library is loaded with the first QR code. */
export async function qrCodeRows(text: string): Promise<readonly (readonly boolean[])[]> {
  const { encode } = await import('uqr');
  return encode(text, { ecc: 'M', border: BORDER }).data;
}
