/** A move to another database that cannot begin or go on. The message is a sentence for a person. */
export class MoveRefusedError extends Error {
  override name = 'MoveRefusedError';
}
