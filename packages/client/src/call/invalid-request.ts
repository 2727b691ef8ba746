/** Internal error for an argument that the client rejects. The call converts it to a `LatchkeyApiError`. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
}
