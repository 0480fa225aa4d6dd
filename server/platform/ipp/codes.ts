/** Operations that a printer of IPP Everywhere has. Those that fetch a document from an address are left out on purpose. */
export const OPERATION = {
  printJob: 0x0002,
  validateJob: 0x0004,
  createJob: 0x0005,
  sendDocument: 0x0006,
  cancelJob: 0x0008,
  getJobAttributes: 0x0009,
  getJobs: 0x000a,
  getPrinterAttributes: 0x000b,
  cancelMyJobs: 0x0039,
  closeJob: 0x003b,
  identifyPrinter: 0x003c,
} as const;

export const STATUS = {
  ok: 0x0000,
  okIgnored: 0x0001,
  badRequest: 0x0400,
  forbidden: 0x0401,
  notPossible: 0x0404,
  notFound: 0x0406,
  tooLarge: 0x0408,
  formatNotSupported: 0x040a,
  attributesNotSupported: 0x040b,
  uriSchemeNotSupported: 0x040c,
  charsetNotSupported: 0x040d,
  compressionNotSupported: 0x040f,
  compressionError: 0x0410,
  formatError: 0x0411,
  internalError: 0x0500,
  operationNotSupported: 0x0501,
  versionNotSupported: 0x0503,
  temporaryError: 0x0505,
  busy: 0x0507,
  multipleDocumentsNotSupported: 0x0509,
} as const;

/** States of a job. */
export const JOB_STATE = {
  pending: 3,
  processing: 5,
  canceled: 7,
  aborted: 8,
  completed: 9,
} as const;
