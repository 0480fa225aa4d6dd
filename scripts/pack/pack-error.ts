/** Packing cannot go on. The message is one sentence for a person and says what to do. */
export class PackError extends Error {
  override name = 'PackError';
}
