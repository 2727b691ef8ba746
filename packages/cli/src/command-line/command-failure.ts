/** A command could not do what it was asked to. The message is for whoever called it; there is nothing to trace. */
export class CommandFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
  }
}
