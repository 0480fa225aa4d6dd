/** Thrown when a file cannot be sent as it is. `reason` is a sentence for the person who left it. */
export class UnfitFileError extends Error {
  override name = 'UnfitFileError';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export const badManifest = (problem: string) =>
  new UnfitFileError(`The .json beside the file cannot be read. ${problem} Nothing was sent.`);
export const noNumber = () =>
  new UnfitFileError(
    'It is not known to which number the file is to be sent. End its name with __ and the number, such as letter__+12025550123.pdf, or put a .json with "to" beside it. Nothing was sent.',
  );
export const twoNumbers = () =>
  new UnfitFileError(
    'The name of the file and the .json beside it name different fax numbers. Nothing was sent.',
  );
export const twins = () =>
  new UnfitFileError(
    'Another file has the same name with another ending, so it is not certain to which of them the .json belongs. Give them different names. Nothing was sent.',
  );
export const tooLarge = (megabytes: number) =>
  new UnfitFileError(`The file is larger than ${megabytes} MB. Nothing was sent.`);
export const otherFile = () =>
  new UnfitFileError(
    'Its "idempotency_key" was used for another file or another number before. Use a new one for a new fax. Nothing was sent.',
  );
