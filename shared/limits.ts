/** Limits of the contract that server and clients both need. */
export const LIMITS = {
  idLength: 40,
  listLimit: { least: 1, most: 200, default: 50 },
  idempotencyKeyLength: 128,
  headerTextLength: 50,
  filesPerFax: 20,
  /** The largest value of MAX_FILE_SIZE_MB. */
  fileSizeMb: 1_000,
  passwordLength: { least: 12, most: 1024 },
  loginLength: 64,
  displayNameLength: 100,
  noteLength: 200,
  resourceIdLength: 100,
  permissionLength: 100,
  /** Of one API key's ceiling. */
  ceilingResources: 20,
  previewMinutes: 10,
  /** However often it is asked for. */
  previewMostMinutes: 120,
  /** Of one caller at a time; the oldest goes. */
  previewsPerCaller: 6,
  previewPageSeconds: 30,
  titleLength: 200,
  /** Named to whoever sends faxes, to choose from. */
  mailboxChoices: 200,
  sendAheadDays: 30,
} as const;
