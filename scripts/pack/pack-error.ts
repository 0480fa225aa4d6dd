/** Thrown when packing cannot continue. The message is one sentence for a person, with the remedy. */
export class PackError extends Error {
  override name = 'PackError';
}
