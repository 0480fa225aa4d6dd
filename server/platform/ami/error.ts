/** Why an action got no usable answer. */
export type AmiFailure =
  /** The engine cannot be reached, or the connection ended. */
  | 'connection'
  /** No answer within the time. */
  | 'timeout'
  /** User or password are not right. */
  | 'sign_in'
  /** The engine answered with an error. */
  | 'refused'
  /** What came is not the manager interface, or larger than it may be. */
  | 'protocol'
  /** The action cannot be written in a way that the engine reads. */
  | 'unsendable';

/** `message` holds no secret. */
export class AmiError extends Error {
  override name = 'AmiError';
  readonly reason: AmiFailure;
  /** Whether bytes of the action may have reached the engine; true also says that it may have been carried out. */
  readonly wrote: boolean;
  constructor(reason: AmiFailure, message: string, facts: { wrote: boolean; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.reason = reason;
    this.wrote = facts.wrote;
  }
}
