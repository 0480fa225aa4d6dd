/** Thrown when a file of the age format does not open: no identity is one of its recipients, or it was altered or cut off. */
export class AgeError extends Error {
  override name = 'AgeError';
  readonly reason: 'wrong-identity' | 'damaged';

  constructor(reason: AgeError['reason'], options?: ErrorOptions) {
    super(`an age file does not open (${reason})`, options);
    this.reason = reason;
  }
}
