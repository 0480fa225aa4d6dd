/**
 * Fault of something that came from a partner. `malformed`: not of the form of the wire. `oversized`: longer than the
 * wire allows. `version`: of another version of the wire. `signature`: not signed by the key it names. `mismatch`: it
 * does not belong to what it should answer. `stale`: too old, or of the future. `tampered`: a document that is not the
 * one of its manifest.
 */
type WireFault = 'malformed' | 'oversized' | 'version' | 'signature' | 'mismatch' | 'stale' | 'tampered';

/** Something from a partner that cannot be used. The message is one sentence for a person. */
export class WireError extends Error {
  override name = 'WireError';
  readonly fault: WireFault;
  constructor(fault: WireFault, sentence: string) {
    super(sentence);
    this.fault = fault;
  }
}
