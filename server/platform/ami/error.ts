/** Reason why an action got no usable answer. */
type AmiFailure =
  /** The engine cannot be reached, or the connection ended. */
  | 'connection'
  /** No answer within the time. */
  | 'timeout'
  /** User or password are not right. */
  | 'sign_in'
  /** The engine answered with an error. */
  | 'refused'
  /** The data is not that of the manager interface, or exceeds a limit. */
  | 'protocol'
  /** The action cannot be written in a way that the engine reads. */
  | 'unsendable';

/** `message` holds no secret. */
export class AmiError extends Error {
  override name = 'AmiError';
  readonly reason: AmiFailure;
  /** True when bytes of the action may have reached the engine, so that it may have been carried out. */
  readonly wrote: boolean;
  constructor(reason: AmiFailure, message: string, facts: { wrote: boolean; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.reason = reason;
    this.wrote = facts.wrote;
  }
}
