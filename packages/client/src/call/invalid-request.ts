/** Something in a call cannot be sent, or would do harm if it were. The call turns it into a `LatchkeyApiError`. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
}
