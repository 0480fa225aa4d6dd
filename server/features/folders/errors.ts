/** Thrown when a file cannot be sent as it is. `reason` is a sentence for the person who left it. */
export class UnsendableFileError extends Error {
  override name = 'UnsendableFileError';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export const badManifest = (problem: string) =>
  new UnsendableFileError(`The .json beside the file cannot be read. ${problem} Nothing was sent.`);
export const noNumber = () =>
  new UnsendableFileError(
    'The file does not say which number to send it to. End its name with __ and the number, such as letter__+12025550123.pdf, or put a .json with "to" beside it. Nothing was sent.',
  );
export const twoNumbers = () =>
  new UnsendableFileError(
    'The name of the file and the .json beside it name different fax numbers. Nothing was sent.',
  );
export const ambiguousManifest = () =>
  new UnsendableFileError(
    'Another file has the same name with another ending, so Faxdesk cannot tell which one the .json belongs to. Give them different names. Nothing was sent.',
  );
export const tooLarge = (megabytes: number) =>
  new UnsendableFileError(`The file is larger than ${megabytes} MB. Nothing was sent.`);
export const keyReused = () =>
  new UnsendableFileError(
    'Its "idempotency_key" was used for another file or another number before. Use a new one for a new fax. Nothing was sent.',
  );
